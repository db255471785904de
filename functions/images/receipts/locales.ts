import { amountsOf } from './amounts.ts';
import { AUSTRALIA, CANADA, SINGAPORE, UNITED_KINGDOM, US } from './countries/english.ts';
import { FRANCE } from './countries/france.ts';
import { GERMANY } from './countries/germany.ts';
import { ITALY } from './countries/italy.ts';
import type { Locale } from './countries/locale.ts';
import { MALAYSIA } from './countries/malaysia.ts';
import { SPAIN } from './countries/spain.ts';
import type { Row } from './rows.ts';

export type { Label, Locale } from './countries/locale.ts';

/** Locales by country code. */
export const LOCALES: Readonly<Record<string, Locale>> = {
  US,
  MY: MALAYSIA,
  GB: UNITED_KINGDOM,
  DE: GERMANY,
  FR: FRANCE,
  IT: ITALY,
  ES: SPAIN,
  SG: SINGAPORE,
  AU: AUSTRALIA,
  CA: CANADA,
};

/** Currency signs that are unambiguous. A bare dollar sign is not. */
const SIGNS: Readonly<Record<string, RegExp>> = {
  EUR: /(?:€|\bEUR) ?\d|\d ?(?:€|EUR\b)/,
  GBP: /(?:£|\bGBP) ?\d/,
  MYR: /\b(?:RM|MYR) ?\d/,
  SGD: /(?:\bS\$|\bSGD) ?\d/,
  USD: /(?:\bUS\$|\bUSD) ?\d/,
  AUD: /(?:\bA\$|\bAUD) ?\d/,
  CAD: /(?:\bC\$|\bCAD) ?\d/,
};
/** Fewer signs are misread print. */
const SIGNS_MIN = 2;
const AMOUNTS_MIN = 4;
const MOST = 0.8;

/** True if the text is written as in another country: in another currency, or with another decimal mark. */
export function contradicts(rows: readonly Row[], locale: Locale): boolean {
  const rowsWith = (sign: RegExp | undefined) => rows.filter(({ text }) => sign?.test(text)).length;
  const own = rowsWith(SIGNS[locale.currency]);
  const foreign = Object.entries(SIGNS).some(
    ([currency, sign]) => currency !== locale.currency && own === 0 && rowsWith(sign) >= SIGNS_MIN,
  );
  const marks = rows.flatMap((row) =>
    amountsOf(row, locale).flatMap(({ at }) => /([.,])\d{2}\D{0,3}$/.exec(row.words[at]!.text)?.[1] ?? []),
  );
  const others = marks.filter((mark) => mark !== locale.decimalMark).length;
  return foreign || (marks.length >= AMOUNTS_MIN && others >= MOST * marks.length);
}
