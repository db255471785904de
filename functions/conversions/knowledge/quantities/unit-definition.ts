/** What a unit measures. Units of one dimension can become one another. */
export type Dimension =
  | 'length'
  | 'area'
  | 'mass'
  | 'volume'
  | 'temperature'
  | 'speed'
  | 'energy'
  | 'data'
  | 'pressure'
  | 'power'
  | 'force'
  | 'angle'
  | 'time'
  | 'frequency'
  | 'fuel consumption'
  | 'data rate';

/** How a unit is declared: by its size in the base unit of its dimension, exactly. */
export interface UnitDefinition {
  readonly code: string;
  /** Decimal, fraction or product of these (`'0.3048*1/12'`), in base units. */
  readonly size: string;
  /** Words and other codes, singular; the plural of a word is added. UCUM's codes stand in brackets where UCUM has them. */
  readonly names: readonly string[];
  /** Prefixes that the unit takes. */
  readonly prefixes?: 'si' | 'si-above-one' | 'si-below-one' | 'iec-and-si';
  /** Its square and its cube are units of area and volume. */
  readonly powers?: true;
  /** In base units, where the zero of the unit stands. */
  readonly zero?: string;
  /** The greater its number, the less there is: so many base units divided by the number. */
  readonly reciprocal?: true;
  /** The size has no exact number, because it holds pi. */
  readonly approximate?: true;
}

export type Options = Omit<UnitDefinition, 'code' | 'size' | 'names'>;

export const unit = (code: string, size: string, names: string, options: Options = {}): UnitDefinition => ({
  code,
  size,
  names: names === '' ? [] : names.split('|'),
  ...options,
});
