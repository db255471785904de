import { numberText } from '#shared/exact-json';
import { currencyOf } from '../countries/currencies.ts';
import { exactText, readDecimal } from '../quantities/decimal.ts';
import { compare, type Rational } from '../quantities/rational.ts';
import { readAmount } from '../texts/amounts.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';
import { fact, notNegative, numberOf, unread } from './number-rules.ts';
import { isJsonObject } from './schemas/plain-json.ts';
import { pointerTo } from './schemas/pointer.ts';

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
  const stated = currencyBeside(spot);
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
  { value, path }: Spot,
  judgement: Judgement,
  stated: string | undefined,
): { readonly amount?: Rational; readonly currency?: string } | undefined {
  const { options, conventions, countries } = judgement.about;
  const text = String(value);
  if (!text.isWellFormed() || text.trim() === '') return undefined;
  const reading = readAmount(text, {
    decimalMark: conventions?.decimalMark,
    locale: options.locale,
    stated: stated !== undefined && currencyOf(stated) ? stated : undefined,
    assumed: options.currency,
    local: judgement.country === undefined ? undefined : countries.of(judgement.country)?.currency,
  });
  const plain = readDecimal(text.trim());
  if (reading.kind !== 'read') {
    if (plain !== 'not-a-number') return undefined;
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

/** The currency of `priceRangeMin` stands in `priceRangeCurrency`; otherwise in `currency`. */
function currencyBeside({ name, among }: Spot): string | undefined {
  const names = [name.replace(/(?:Min|Max)$/, 'Currency'), 'currency', 'priceCurrency'];
  const found = names.flatMap((each) => (Object.hasOwn(among, each) && each !== name ? [among[each]] : []));
  return found
    .find((each) => typeof each === 'string')
    ?.trim()
    .toUpperCase();
}

export function judgeCurrency(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined || currencyOf(text) !== undefined) return;
  const capitals = text.trim().toUpperCase();
  const suggestion = currencyOf(capitals) && capitals;
  const detail = 'There is no currency of this code in ISO 4217.';
  judgement.error(spot.path, 'currency.unknown', { detail, suggestion });
}
