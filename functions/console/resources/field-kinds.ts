/** The value that a text states, or what is wrong with the text. */
export type StatedValue = { readonly value: unknown } | { readonly wrong: string };

/** The way in which a member of the API is written as text in a form. */
export interface FieldKind {
  readonly textOf: (value: unknown) => string;
  /** @param text has no spaces around it */
  readonly valueIn: (text: string) => StatedValue;
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

export const TEXT: FieldKind = { textOf, valueIn: (text) => ({ value: text }) };

/** A kind whose empty text means null: no value, or no limit. */
const optional = ({ textOf: ofKind, valueIn }: FieldKind, hint = ', or leave empty'): FieldKind => ({
  textOf: ofKind,
  valueIn: (text) => {
    if (text === '') return { value: null };
    const reading = valueIn(text);
    return 'wrong' in reading ? { wrong: `${reading.wrong}${hint}` } : reading;
  },
});

export const OPTIONAL_TEXT = optional(TEXT);

/** A whole number; `1,000` is one too. */
export const INTEGER: FieldKind = {
  textOf,
  valueIn: (text) => {
    const digits = text.replaceAll(/[\s,]/g, '');
    return /^-?\d{1,12}$/.test(digits) ? { value: Number(digits) } : { wrong: 'Enter a whole number' };
  },
};
export const OPTIONAL_INTEGER = optional(INTEGER);

/** A box that is checked or not. */
export const CHECK: FieldKind = {
  textOf: (value) => (value === true ? 'on' : ''),
  valueIn: (text) => ({ value: text !== '' }),
};

/** An amount of money, which the API states in hundredths. */
const AMOUNT: FieldKind = {
  textOf: (value) => (typeof value === 'number' ? (value / 100).toFixed(2) : ''),
  valueIn: (text) => {
    const [, whole, part = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(',', '')) ?? [];
    if (whole === undefined) return { wrong: 'Enter an amount such as 250 or 250.50' };
    return { value: Number(whole) * 100 + Number(part.padEnd(2, '0')) };
  },
};
export const OPTIONAL_AMOUNT = optional(AMOUNT);

/** A time in UTC, as browsers write it in a field of type `datetime-local`: `2026-09-01T07:00`. */
export const TIME: FieldKind = {
  textOf: (value) => (typeof value === 'string' ? value.replace(/(:00)?(\.000)?Z$/, '') : ''),
  valueIn: (text) => {
    const wrong = { wrong: 'Enter a day and a time, such as 2026-09-01 07:00' };
    const [, day, clock] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)$/.exec(text) ?? [];
    if (day === undefined || clock === undefined) return wrong;
    const time = new Date(`${day}T${clock}Z`);
    // 30 February would be a day of March.
    if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day)) return wrong;
    return { value: time.toISOString() };
  },
};
export const OPTIONAL_TIME = optional(TIME);

/** An object in JSON. */
export const JSON_OBJECT: FieldKind = {
  textOf: (value) =>
    value instanceof Object && Object.keys(value).length > 0 ? JSON.stringify(value, undefined, 2) : '',
  valueIn: (text) => {
    const value = text === '' ? {} : objectIn(text);
    return value === undefined ? { wrong: 'Enter an object in JSON, such as {"tier": "gold"}' } : { value };
  },
};

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A list of texts, each on its own line. */
export const LINES: FieldKind = {
  textOf: (value) => (Array.isArray(value) ? value.join('\n') : ''),
  valueIn: (text) => ({ value: linesIn(text) }),
};

/** A list of objects, each on its own line, whose members are separated by semicolons or tabs. */
export function rowsOf(
  rowIn: (cells: readonly string[]) => StatedValue,
  textOfRow: (row: unknown) => string,
): FieldKind {
  return {
    textOf: (value) => (Array.isArray(value) ? value.map(textOfRow).join('\n') : ''),
    valueIn: (text) => {
      const rows: unknown[] = [];
      for (const [at, line] of linesIn(text).entries()) {
        const reading = rowIn(line.split(/[;\t]/).map((cell) => cell.trim()));
        if ('wrong' in reading) return { wrong: `Line ${at + 1}: ${reading.wrong}` };
        rows.push(reading.value);
      }
      return { value: rows };
    },
  };
}
