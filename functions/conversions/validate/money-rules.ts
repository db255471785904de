import { numberText } from '#shared/exact-json';
import { currencyOf } from '../knowledge/countries/currencies.ts';
import { exactText, readDecimal } from '../knowledge/quantities/decimal.ts';
import { compare, type Rational } from '../knowledge/quantities/rational.ts';
import { type AmountContext, readAmount } from '../knowledge/texts/amounts.ts';
import { isJsonObject } from '../schemas/plain-json.ts';
import { pointerTo } from '../schemas/pointer.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';
import { fact, notNegative, numberOf, unread } from './number-rules.ts';

/** A price as a number, or as an object of an amount and its currency. */
export function judgePrice(spot: Spot, judgement: Judgement) {
  if (!isJsonObject(spot.value) || numberText(spot.value) !== undefined) return judgeAmount(spot, judgement);
  const among: Readonly<Record<string, unknown>> = spot.value;
  if (Object.hasOwn(among, 'currency')) {
    judgeCurrency(
      { value: among['currency'], path: pointerTo(spot.path, 'currency'), name: 'currency', among },
      judgement,
    );
  }
  const member = ['amount', 'value'].find((name) => Object.hasOwn(among, name));
  if (member === undefined) {
    judgement.error(spot.path, 'price.no-amount', { detail: 'The object needs a member "amount".' });
  } else judgeAmount({ ...spot, value: among[member], path: pointerTo(spot.path, member), among }, judgement);
}

function judgeAmount(spot: Spot, judgement: Judgement) {
  const stated = currencyBeside(spot, judgement);
  const read = typeof spot.value === 'string' ? writtenAmount(spot, judgement, stated) : undefined;
  const amount = read ? read.amount && fact(read.amount, spot, judgement) : numberOf(spot, judgement);
  const code = read?.currency ?? stated ?? judgement.about.options.currency;
  const digits = code === undefined ? undefined : currencyOf(code)?.minorDigits;
  if (notNegative(amount, spot, judgement) === undefined || amount === undefined || digits === undefined) return;
  const decimals = (exactText(amount)?.split('.')[1] ?? '').length;
  if (decimals <= digits) return;
  const detail = `Amounts in ${code} have ${digits === 0 ? 'no' : `at most ${digits}`} decimals, and this one has ${decimals}.`;
  judgement.warn(spot.path, 'price.minor-digits', { detail });
}

/** An amount such as `€1.299,00`, empty where its fault is told already; undefined for what is judged as a plain number. */
function writtenAmount(
  spot: Spot,
  judgement: Judgement,
  stated: string | undefined,
): { readonly amount?: Rational; readonly currency?: string } | undefined {
  const { path } = spot;
  const text = String(spot.value);
  if (!text.isWellFormed() || text.trim() === '') return undefined;
  const reading = readAmount(text, contextOf(spot, judgement, stated));
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
    judgement.warn(path, 'price.format', { detail, suggestion: reading.value.amount });
  }
  return { ...reading.value, amount };
}

function contextOf({ statedCountry }: Spot, { about }: Judgement, stated: string | undefined): AmountContext {
  const { options, conventions, countries } = about;
  return {
    decimalMark: conventions?.decimalMark,
    locale: options.locale,
    stated: stated !== undefined && currencyOf(stated) ? stated : undefined,
    assumed: options.currency,
    local: statedCountry === undefined ? undefined : countries.of(statedCountry)?.currency,
  };
}

/** Amounts that share one currency. */
const TOGETHER = [
  ['price', 'salePrice', 'listPrice', 'msrp', 'amount', 'amountMin', 'amountMax'],
  ['priceRangeMin', 'priceRangeMax'],
  ['revenueMin', 'revenueMax'],
] as const;

/**
 * The currency of `priceRangeMin` stands in `priceRangeCurrency`, and mostly in `currency`. Where neither is there, an
 * amount may name it for the others.
 */
function currencyBeside(spot: Spot, judgement: Judgement): string | undefined {
  const { name, among } = spot;
  const member = (each: string) => (Object.hasOwn(among, each) ? among[each] : undefined);
  const own = name.replace(/(?:Min|Max)$/, 'Currency');
  const names = own === name ? ['currency', 'priceCurrency'] : [own, 'currency', 'priceCurrency'];
  const stated = names.map(member).find((each) => typeof each === 'string' && each.trim() !== '');
  if (typeof stated === 'string') return stated.trim().toUpperCase();
  const context = contextOf(spot, judgement, undefined);
  for (const each of TOGETHER.find((group) => group.some((one) => one === name)) ?? []) {
    const text = member(each);
    const reading = typeof text === 'string' ? readAmount(text, context) : undefined;
    if (reading?.kind === 'read' && reading.value.currency !== undefined) return reading.value.currency;
  }
  return undefined;
}

export function judgeCurrency(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined || currencyOf(text) !== undefined) return;
  const capitals = text.trim().toUpperCase();
  const suggestion = currencyOf(capitals) && capitals;
  const detail = 'There is no currency of this code in ISO 4217.';
  judgement.error(spot.path, 'currency.unknown', { detail, suggestion });
}
