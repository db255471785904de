/** The quantity that a unit measures. Units of one dimension can be converted into one another. */
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

/** The declaration of a unit by its exact size in the base unit of its dimension. */
export interface UnitDefinition {
  readonly code: string;
  /** Decimal, fraction or product of these (`'0.3048*1/12'`), in base units. */
  readonly size: string;
  /** Names and other codes, singular; the plural of a name is added. UCUM's codes are in brackets where UCUM has them. */
  readonly names: readonly string[];
  /** Prefixes that can be combined with the unit. */
  readonly prefixes?: 'si' | 'si-above-one' | 'si-below-one' | 'iec-and-si';
  /** True if its square and its cube are units of area and volume. */
  readonly powers?: true;
  /** The zero point of the unit, in base units. */
  readonly zero?: string;
  /** True for a reciprocal unit: `size` divided by the number gives base units. */
  readonly reciprocal?: true;
  /** True if the size is not exact, because it contains pi. */
  readonly approximate?: true;
}

export type Options = Omit<UnitDefinition, 'code' | 'size' | 'names'>;

export const unit = (code: string, size: string, names: string, options: Options = {}): UnitDefinition => ({
  code,
  size,
  names: names === '' ? [] : names.split('|'),
  ...options,
});
