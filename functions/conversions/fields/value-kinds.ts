import { quoteForMessage } from '../items/item-refusal.ts';
import { readPostcode } from '../values/addresses/postcodes.ts';
import { type Gtin, gtinDigits, readGtin } from '../values/identifiers/gtin.ts';
import { type Phone, parsePhone, phoneDetail, printPhone } from '../values/phones/phones.ts';
import { readDecimal } from '../values/quantities/decimal.ts';
import { currenciesNamed } from '../values/texts/amounts.ts';
import { readDate } from '../values/texts/dates.ts';
import { readEmail, readHost, readWebAddress } from '../values/texts/hosts.ts';
import { legalFormOf } from '../values/texts/legal-forms.ts';
import { withOffset } from '../values/texts/local-times.ts';
import { ambiguous, type Reading, read, unreadable } from '../values/texts/reading.ts';
import { type RoomKind, readRoomCount } from '../values/texts/room-counts.ts';
import { plainText, tidyLine } from '../values/texts/tidy.ts';
import { readNumber } from '../values/texts/written-numbers.ts';
import type { Context } from './context.ts';
import type { Kind } from './field.ts';

/** The unresolved part of a value, with its candidates. */
export interface OpenReading {
  readonly code: string;
  readonly detail: string;
  readonly candidates?: string[];
}

/** A value and, if a part of it is unresolved, that part. */
export interface ValueReading {
  readonly reading: Reading<string>;
  readonly open?: OpenReading;
}

/** A kind whose members hold one text or a list of texts, each of which is read separately. */
export interface ValueKind {
  /** The rule that changes are reported with. Codes of unresolved values begin with its first word. */
  readonly rule: string;
  /**
   * Decides whether a JSON number is a notation of such a value, and becomes text; otherwise it stays a number. A date
   * stays a number if its digits are its canonical form: 2024 is a year.
   */
  readonly numbers: 'become-text' | 'stay' | 'stay-if-canonical';
  /** The canonical form. */
  readonly read: (text: string, context: Context) => Reading<string> | ValueReading | Promise<ValueReading>;
}

const roomsOf = (kind: RoomKind): ValueKind => ({
  rule: 'rooms.number',
  numbers: 'stay',
  read: (text, context) => readRooms(text, kind, context),
});
const DATE: ValueKind = { rule: 'date.iso', numbers: 'stay-if-canonical', read: readDateField };
const NUMBER: ValueKind = { rule: 'number.decimal', numbers: 'stay', read: readNumberField };
const TRADE_NUMBER: ValueKind = {
  rule: 'gtin.digits',
  numbers: 'become-text',
  read: (text) => tradeNumber(text, ({ digits }) => digits),
};

/** The kinds with a canonical form of their own. The others depend on several members, or stay unchanged. */
export const VALUE_KINDS: Readonly<Partial<Record<Kind, ValueKind>>> = {
  phone: { rule: 'phone.e164', numbers: 'become-text', read: phone },
  email: { rule: 'email.host', numbers: 'stay', read: readEmail },
  web: { rule: 'web.host', numbers: 'stay', read: readWebAddress },
  host: { rule: 'host.ascii', numbers: 'stay', read: readHost },
  country: { rule: 'country.alpha2', numbers: 'become-text', read: country },
  past: DATE,
  date: DATE,
  gtin: { rule: 'gtin.gtin14', numbers: 'become-text', read: (text) => tradeNumber(text, ({ gtin14 }) => gtin14) },
  'trade-number': TRADE_NUMBER,
  isbn: TRADE_NUMBER,
  baths: roomsOf('baths'),
  beds: roomsOf('beds'),
  rooms: roomsOf('rooms'),
  currency: { rule: 'currency.iso', numbers: 'stay', read: readCurrency },
  'measure-value': NUMBER,
  latitude: NUMBER,
  longitude: NUMBER,
  year: NUMBER,
  count: NUMBER,
  number: NUMBER,
  postcode: { rule: 'postcode.format', numbers: 'become-text', read: postcode },
  'legal-form': {
    rule: 'name.legal-form',
    numbers: 'stay',
    read: (text) => read(legalFormOf(text) ?? tidyLine(text)),
  },
  text: { rule: 'text.tidy', numbers: 'stay', read: (text) => read(tidyLine(text)) },
};

/** Refuses text with an unpaired surrogate, which no file can hold. Undefined for any other text. */
export function brokenText(text: string): OpenReading | undefined {
  if (text.isWellFormed()) return undefined;
  const detail = 'The text has half of a character (a lone surrogate), which no file can hold.';
  return { code: 'text.lone-surrogate', detail, candidates: [text.toWellFormed()] };
}

/** A number outside all ranges in use still has one E.164 form, if at least its length is right. */
async function phone(text: string, context: Context): Promise<ValueReading> {
  const number = await phoneOf(text, context);
  if (number.valid) return { reading: read(printPhone(number)) };
  const reason = number.reason ?? 'unassigned';
  const detail = phoneDetail(reason);
  const open = { code: `phone.${reason}`, detail };
  const printed = await possiblePhone(number, context);
  if (printed === undefined) return { reading: unreadable(detail), open };
  // With a calling code the number is complete, even if it is not in use. Without one it may be something else.
  if (/^\W*\+/.test(text.normalize('NFKC'))) return { reading: read(printed, 'low'), open };
  return { reading: unreadable(detail), open: { ...open, candidates: [printed] } };
}

export function phoneOf(text: string, { country, phones }: Pick<Context, 'country' | 'phones'>): Promise<Phone> {
  const key = `${country} ${text}`;
  const phone = phones.get(key) ?? parsePhone(text, country);
  phones.set(key, phone);
  return phone;
}

/**
 * The E.164 form of a number that may be unassigned, if it reads as the same number again. Digits such as 00000 do not.
 */
export async function possiblePhone(phone: Phone, context: Context): Promise<string | undefined> {
  if (!phone.possible) return undefined;
  const printed = printPhone(phone);
  return printPhone(await phoneOf(printed, context)) === printed ? printed : undefined;
}

export function readDateField(text: string, { conventions, options }: Context): Reading<string> {
  const reading = readDate(text, conventions);
  if (reading.kind !== 'read' || options.timezone === undefined) return reading;
  return withOffset(reading.value, options.timezone);
}

function country(text: string, { countries, options, suggestions }: Context): Reading<string> | ValueReading {
  const match = countries.read(tidyLine(text), options.locale);
  if ('alpha2' in match) return read(match.alpha2);
  if (match.length > 0) return ambiguous(`${quoteForMessage(text)} is the name of several countries.`, match);
  const suggestion = suggestions.country(text);
  const detail = `There is no country ${quoteForMessage(text)}.`;
  if (suggestion === undefined) return unreadable(detail);
  return open('country.unknown', `${detail} Did you mean ${suggestion}?`, [suggestion]);
}

function tradeNumber(text: string, form: (gtin: Gtin) => string): Reading<string> | ValueReading {
  const match = readGtin(text);
  if (match.gtin) return read(form(match.gtin));
  const { problem, detail, suggestion, candidates } = match.problem;
  const suggested = suggestion === undefined ? undefined : readGtin(suggestion).gtin;
  return open(`gtin.${problem}`, detail, candidates ?? (suggested && [form(suggested)]));
}

function open(code: string, detail: string, candidates?: readonly string[]): ValueReading {
  return { reading: unreadable(detail), open: { code, detail, ...(candidates && { candidates: [...candidates] }) } };
}

/** The number that a JSON number denotes, with the leading zeros that JSON cannot write. */
export function withLeadingZeros(digits: string): string {
  const match = readGtin(digits);
  return match.gtin || match.problem.problem !== 'length' ? digits : (match.problem.suggestion ?? gtinDigits(digits));
}

export function readCurrency(text: string): Reading<string> {
  const currencies = currenciesNamed(plainText(text));
  const [only] = currencies;
  if (only === undefined) return unreadable(`There is no currency ${quoteForMessage(text)} in ISO 4217.`);
  return currencies.length === 1
    ? read(only)
    : ambiguous(`${quoteForMessage(text)} belongs to several currencies.`, currencies);
}

/** The longest text. No number of this service is longer. */
const NUMBER_CHARACTERS_MAX = 1_000;

/** Plain decimal text is this service's own notation, so no locale may read it another way. */
export function readNumberField(text: string, { conventions }: Pick<Context, 'conventions'>): Reading<string> {
  const plain = text.length > NUMBER_CHARACTERS_MAX ? 'too-many-digits' : readDecimal(text.trim());
  if (typeof plain === 'object') return read(text.trim());
  if (plain === 'too-many-digits') return unreadable('The number has more digits than the service works with.');
  return readNumber(text, conventions?.decimalMark);
}

/** Reads a count of rooms, or else a plain number. */
function readRooms(text: string, kind: RoomKind, context: Context): Reading<string> {
  const rooms = readRoomCount(text, kind);
  if (rooms.kind === 'read') return rooms;
  const number = readNumberField(text, context);
  return number.kind === 'read' ? number : rooms;
}

function postcode(text: string, { country }: Context): Reading<string> | ValueReading {
  const reading = country === undefined ? undefined : readPostcode(text, country);
  if (reading === undefined) return read(tidyLine(text));
  const whole = reading.kind === 'read' ? undefined : postcodeWithZeros(text, country ?? '');
  return reading.kind === 'read' || whole === undefined
    ? reading
    : open('postcode.unreadable', reading.detail, [whole]);
}

/** The postcode with the leading zeros that a spreadsheet dropped. */
export function postcodeWithZeros(text: string, country: string): string | undefined {
  if (!/^\d{3,4}$/.test(text)) return undefined;
  const padded = readPostcode(text.padStart(5, '0'), country);
  return padded?.kind === 'read' ? padded.value : undefined;
}
