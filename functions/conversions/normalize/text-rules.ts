import { readPostcode } from '../knowledge/addresses/postcodes.ts';
import { type Gtin, gtinDigits, readGtin } from '../knowledge/identifiers/gtin.ts';
import { type Phone, phoneDetail, printPhone, readPhone } from '../knowledge/phones/phones.ts';
import { currenciesNamed } from '../knowledge/texts/amounts.ts';
import { readDate } from '../knowledge/texts/dates.ts';
import { readEmail, readHost, readWebAddress } from '../knowledge/texts/hosts.ts';
import { legalFormOf } from '../knowledge/texts/legal-forms.ts';
import { withOffset } from '../knowledge/texts/local-times.ts';
import { ambiguous, quoted, type Reading, read, unreadable } from '../knowledge/texts/reading.ts';
import { readRoomCount } from '../knowledge/texts/room-counts.ts';
import { plainText, tidyLine } from '../knowledge/texts/tidy.ts';
import { readNumber } from '../knowledge/texts/written-numbers.ts';
import type { Unresolved } from './findings.ts';
import type { TextKind } from './known-members.ts';
import type { Scope } from './scope.ts';

/** A value and, where something about it stays open all the same, what that is. */
export interface TextFinding {
  readonly reading: Reading<string>;
  readonly open?: Omit<Unresolved, 'path'>;
}

export interface TextRule {
  /** The rule that a change is reported with. What stays open has a code that begins with its first word. */
  readonly rule: string;
  /** Whether a JSON number is a way to write such a value, and becomes text; else it stays a number. */
  readonly numbers: 'become-text' | 'stay';
  readonly read: (text: string, scope: Scope) => Reading<string> | TextFinding | Promise<TextFinding>;
}

const rooms = (kind: 'baths' | 'beds' | 'rooms'): TextRule => ({
  rule: 'rooms.number',
  numbers: 'stay',
  read: (text) => readRoomCount(text, kind),
});

export const TEXT_RULES: Readonly<Record<TextKind, TextRule>> = {
  phone: { rule: 'phone.e164', numbers: 'become-text', read: phone },
  email: { rule: 'email.host', numbers: 'stay', read: readEmail },
  web: { rule: 'web.host', numbers: 'stay', read: readWebAddress },
  host: { rule: 'host.ascii', numbers: 'stay', read: readHost },
  country: { rule: 'country.alpha2', numbers: 'become-text', read: country },
  date: { rule: 'date.iso', numbers: 'stay', read: date },
  gtin: { rule: 'gtin.gtin14', numbers: 'become-text', read: (text) => tradeNumber(text, ({ gtin14 }) => gtin14) },
  'trade-number': {
    rule: 'gtin.digits',
    numbers: 'become-text',
    read: (text) => tradeNumber(text, ({ digits }) => digits),
  },
  baths: rooms('baths'),
  beds: rooms('beds'),
  rooms: rooms('rooms'),
  currency: { rule: 'currency.iso', numbers: 'stay', read: currency },
  decimal: { rule: 'number.decimal', numbers: 'stay', read: decimal },
  postcode: { rule: 'postcode.format', numbers: 'become-text', read: postcode },
  'legal-form': {
    rule: 'name.legal-form',
    numbers: 'stay',
    read: (text) => read(legalFormOf(text) ?? tidyLine(text)),
  },
  text: { rule: 'text.tidy', numbers: 'stay', read: (text) => read(tidyLine(text)) },
};

/** A number that no range in use contains still has one E.164 form, if at least its length is right. */
async function phone(text: string, scope: Scope): Promise<TextFinding> {
  const found = await phoneOf(text, scope);
  if (found.valid) return { reading: read(printPhone(found)) };
  const reason = found.reason ?? 'unassigned';
  const detail = phoneDetail(reason);
  const open = { code: `phone.${reason}`, detail };
  const printed = printPhone(found);
  // With its calling code a number is whole, even if nobody has it. Without one, digits such as 00000 become none.
  const isWhole = found.possible && /^\W*\+/.test(text.normalize('NFKC'));
  const isStable = isWhole && printPhone(await phoneOf(printed, scope)) === printed;
  return { reading: isStable ? read(printed, 'low') : unreadable(detail), open };
}

function date(text: string, { conventions, options }: Scope): Reading<string> {
  const found = readDate(text, conventions);
  if (found.kind !== 'read' || options.timezone === undefined) return found;
  return withOffset(found.value, options.timezone);
}

function phoneOf(text: string, { country, phones }: Scope): Promise<Phone> {
  const key = `${country} ${text}`;
  const phone = phones.get(key) ?? readPhone(text, country);
  phones.set(key, phone);
  return phone;
}

function country(text: string, { countries, options, suggestions }: Scope): Reading<string> | TextFinding {
  const found = countries.read(tidyLine(text), options.locale);
  if ('alpha2' in found) return read(found.alpha2);
  if (found.length > 0) return ambiguous(`${quoted(text)} is the name of several countries.`, found);
  const suggestion = suggestions.country(text);
  const detail = `There is no country ${quoted(text)}.`;
  if (suggestion === undefined) return unreadable(detail);
  return open('country.unknown', `${detail} Did you mean ${suggestion}?`, [suggestion]);
}

function tradeNumber(text: string, form: (gtin: Gtin) => string): Reading<string> | TextFinding {
  const found = readGtin(text);
  if (found.gtin) return read(form(found.gtin));
  const { problem, detail, suggestion, candidates } = found.problem;
  const suggested = suggestion === undefined ? undefined : readGtin(suggestion).gtin;
  return open(`gtin.${problem}`, detail, candidates ?? (suggested && [form(suggested)]));
}

function open(code: string, detail: string, candidates?: readonly string[]): TextFinding {
  return { reading: unreadable(detail), open: { code, detail, ...(candidates && { candidates: [...candidates] }) } };
}

/** The number that a JSON number stands for, with the leading zeros that JSON cannot write. */
export function withLeadingZeros(digits: string): string {
  const found = readGtin(digits);
  return found.gtin || found.problem.problem !== 'length' ? digits : (found.problem.suggestion ?? gtinDigits(digits));
}

function currency(text: string): Reading<string> {
  const currencies = currenciesNamed(plainText(text));
  const [only] = currencies;
  if (only === undefined) return unreadable(`There is no currency ${quoted(text)} in ISO 4217.`);
  return currencies.length === 1 ? read(only) : ambiguous(`${quoted(text)} belongs to several currencies.`, currencies);
}

/** Digits that would read differently once they are plain text are left alone. */
function decimal(text: string, { conventions }: Scope): Reading<string> {
  const value = readNumber(text, conventions?.decimalMark);
  if (value.kind !== 'read') return value;
  const again = readNumber(value.value, conventions?.decimalMark);
  return again.kind === 'read' && again.value === value.value
    ? value
    : ambiguous(`${quoted(text)} has three decimals, which would read as thousands.`, [value.value]);
}

function postcode(text: string, { country }: Scope): Reading<string> {
  return (country === undefined ? undefined : readPostcode(text, country)) ?? read(tidyLine(text));
}
