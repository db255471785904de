import { numberText } from '#shared/formats/exact-json';
import {
  type CurrencyBeside,
  currencyAmong,
  currencyBeside,
  isInUnknownCurrency,
  readAmountBeside,
} from '../fields/amount-field.ts';
import { AMOUNT_NAMES } from '../fields/field.ts';
import { readCurrency } from '../fields/value-kinds.ts';
import { isJsonObject } from '../schemas/plain-json.ts';
import { pointerTo } from '../schemas/pointer.ts';
import { currencyOf } from '../values/countries/currencies.ts';
import { exactText, readDecimal } from '../values/quantities/decimal.ts';
import { compare, type Rational } from '../values/quantities/rational.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';
import { fact, notNegative, numberOf, unread } from './number-rules.ts';

/** Judges a price, as a number or as an object of an amount and its currency. */
export function judgePrice(spot: Spot, judgement: Judgement) {
  if (!isJsonObject(spot.value) || numberText(spot.value) !== undefined) return judgeAmount(spot, judgement);
  const among: Spot['among'] = spot.value;
  const part = (name: string) => ({ ...spot, value: among[name], path: pointerTo(spot.path, name), among });
  for (const name of spot.member.currencies) {
    if (Object.hasOwn(among, name)) judgeCurrency(part(name), judgement);
  }
  const amount = AMOUNT_NAMES.find((name) => Object.hasOwn(among, name));
  if (amount !== undefined) judgeAmount(part(amount), judgement);
  else judgement.error(spot.path, 'price.no-amount', { detail: 'The object needs a member "amount".' });
}

function judgeAmount(spot: Spot, judgement: Judgement) {
  const { context } = spot;
  const beside = currencyOfAmount(spot);
  const read = typeof spot.value === 'string' ? writtenAmount(spot, judgement, beside) : undefined;
  const amount = read ? read.amount && fact(read.amount, spot, judgement) : numberOf(spot, judgement);
  const code = read?.currency ?? beside.code ?? context.options.currency;
  const digits = code === undefined ? undefined : currencyOf(code)?.minorDigits;
  if (notNegative(amount, spot, judgement) === undefined || amount === undefined || digits === undefined) return;
  const decimals = (exactText(amount)?.split('.')[1] ?? '').length;
  if (decimals <= digits) return;
  const detail = `Amounts in ${code} have ${digits === 0 ? 'no' : `at most ${digits}`} decimals, and this one has ${decimals}.`;
  judgement.warn(spot.path, 'price.minor-digits', { detail });
}

/**
 * Reads an amount such as `€1.299,00`: empty if its fault is already recorded, undefined if it is judged as a plain
 * number.
 */
function writtenAmount(
  { value, path, context }: Spot,
  judgement: Judgement,
  beside: CurrencyBeside,
): { readonly amount?: Rational; readonly currency?: string } | undefined {
  const text = String(value);
  if (!text.isWellFormed() || text.trim() === '') return undefined;
  const reading = readAmountBeside(text, beside, context);
  const plain = readDecimal(text.trim());
  if (reading.kind !== 'read') {
    if (reading.kind === 'unreadable' && plain !== 'not-a-number') return undefined;
    unread(reading, { path, code: 'price', judgement });
    return {};
  }
  const amount = readDecimal(reading.value.amount);
  if (typeof amount !== 'object') return undefined;
  if (typeof plain !== 'object' || compare(amount, plain) !== 0) {
    const detail = 'Write the amount as a decimal number, and its currency in a field of its own.';
    const suggestion = isInUnknownCurrency(reading.value, beside) ? undefined : reading.value.amount;
    judgement.warn(path, 'price.format', { detail, suggestion });
  }
  return { ...reading.value, amount };
}

/** The currency that one amount of an object names for the others, where the object itself names none. */
function currencyOfAmount({ member, among, context }: Spot): CurrencyBeside {
  const beside = currencyBeside(member, (name) => (Object.hasOwn(among, name) ? among[name] : undefined));
  const code = beside.isFree ? currencyAmong(member, among, context) : undefined;
  return code === undefined ? beside : { ...beside, isFree: false, code };
}

export function judgeCurrency(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined || currencyOf(text) !== undefined) return;
  const reading = readCurrency(text);
  const detail = 'There is no currency of this code in ISO 4217.';
  judgement.error(spot.path, 'currency.unknown', {
    detail,
    suggestion: reading.kind === 'read' ? reading.value : undefined,
  });
}
