import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { quoteForMessage } from '../../items/item-refusal.ts';
import { type Reading, read, unreadable } from '../texts/reading.ts';
import { plainText } from '../texts/tidy.ts';

const CHARACTERS_MAX = 20;

/**
 * The position of the joint of a postcode, counted from its start or, below zero, from its end, and the text at the
 * joint.
 */
const JOINTS: Readonly<Record<string, readonly [at: number, joint: string, length: number | undefined]>> = {
  GB: [-3, ' ', undefined],
  GG: [-3, ' ', undefined],
  JE: [-3, ' ', undefined],
  IM: [-3, ' ', undefined],
  CA: [3, ' ', 6],
  NL: [4, ' ', 6],
  IE: [3, ' ', 7],
  MT: [3, ' ', 7],
  SE: [3, ' ', 5],
  CZ: [3, ' ', 5],
  SK: [3, ' ', 5],
  GR: [3, ' ', 5],
  PL: [2, '-', 5],
  JP: [3, '-', 7],
  PT: [4, '-', 7],
  BR: [5, '-', 8],
  US: [5, '-', 9],
  PR: [5, '-', 9],
};

/** Vehicle country codes that people write before a postcode, as in `D-10115`, where they differ from the ISO code. */
const PLATES: Readonly<Record<string, string>> = {
  DE: 'D',
  AT: 'A',
  FR: 'F',
  IT: 'I',
  ES: 'E',
  BE: 'B',
  SE: 'S',
  NO: 'N',
  LU: 'L',
  FI: 'FIN',
};

/** Corrections of the library's patterns: Argentina still uses four digits, besides the newer form. */
const CORRECTED: Readonly<Record<string, RegExp>> = { AR: /^[A-HJ-NP-Z]?\d{4}([A-Z]{3})?$/ };

/** A postcode in the notation of its country. Undefined for a country without postcodes, or with unknown ones. */
export function readPostcode(text: string, country: string): Reading<string> | undefined {
  if (!/^[A-Z]{2}$/.test(country) || !postcodeValidatorExistsForCountry(country)) return undefined;
  const written = plainText(text.slice(0, CHARACTERS_MAX * 2)).toUpperCase();
  const fault = unreadable(`${quoteForMessage(text)} is not written like a postcode of ${country}.`);
  if (written === '' || text.length > CHARACTERS_MAX * 2 || written.length > CHARACTERS_MAX) return fault;
  const compact = withoutPlate(written, country).replace(/[\s.-]/g, '');
  for (const candidate of [withSeparator(compact, country), withoutPlate(written, country), compact, written])
    if (isPostcode(candidate, country)) return read(candidate);
  return fault;
}

function isPostcode(text: string, country: string): boolean {
  return text !== '' && (CORRECTED[country]?.test(text) ?? postcodeValidator(text, country));
}

function withoutPlate(text: string, country: string): string {
  const [, plate, rest] = /^([A-Z]{1,3})[- ]{1,3}(\d.*)$/.exec(text) ?? [];
  return rest !== undefined && (plate === country || plate === PLATES[country]) ? rest : text;
}

function withSeparator(compact: string, country: string): string {
  const [at, joint, length] = JOINTS[country] ?? [];
  if (at === undefined || compact.length < 5 || (length !== undefined && compact.length !== length)) return compact;
  return `${compact.slice(0, at)}${joint}${compact.slice(at)}`;
}
