import { numberText } from '#shared/exact-json';
import { currencyOf } from '../knowledge/countries/currencies.ts';
import { type Amount, type AmountContext, minorUnits, readAmount } from '../knowledge/texts/amounts.ts';
import type { Draft } from './draft.ts';
import type { Cause } from './findings.ts';
import { currencyMembersOf } from './known-members.ts';
import { leaveOpen } from './open-reading.ts';
import type { Scope } from './scope.ts';

/** Prices that a buyer pays get their minor units; the other amounts of a record are bounds and sums. */
const WITH_MINOR_UNITS: ReadonlySet<string> = new Set(['price', 'salePrice', 'listPrice']);

/** Separates an amount from its currency, and adds the currency and the minor units where they are free. */
export function normalizeAmount(draft: Draft, name: string, scope: Scope): void {
  const value = draft.get(name);
  const [preferred, ...others] = currencyMembersOf(name);
  const member = others.find((each) => !draft.isFree(each) && draft.isFree(preferred)) ?? preferred;
  const stated = draft.get(member);
  const currency = typeof stated === 'string' && currencyOf(stated) ? stated : undefined;
  const digits = numberText(value);
  if (digits !== undefined) return addMinorUnits(draft, name, { amount: digits, currency, confidence: 'high' });
  if (typeof value !== 'string') {
    draft.leave(name, { code: 'amount.wrong-type', detail: 'An amount is a text or a number.' });
    return;
  }
  const reading = readAmount(value, contextOf(scope, currency, draft.isFree(member)));
  if (reading.kind !== 'read') return leaveOpen(draft, name, 'amount', reading);
  const { value: found, confidence } = reading;
  if (found.currency !== undefined && currency === undefined && !draft.isFree(member)) {
    draft.leave(name, { code: 'amount.currency', detail: `The record names no currency that is known in ${member}.` });
    return;
  }
  draft.set(name, found.amount, { rule: 'amount.decimal', confidence });
  if (found.currency !== undefined) draft.set(member, found.currency, { rule: 'amount.currency', confidence }, name);
  addMinorUnits(draft, name, { ...found, confidence });
}

function contextOf(
  { options, conventions, countries, statedCountry }: Scope,
  stated: string | undefined,
  isFree: boolean,
): AmountContext {
  return {
    decimalMark: conventions?.decimalMark,
    locale: conventions && options.locale,
    stated,
    assumed: isFree ? options.currency : undefined,
    local: statedCountry === undefined ? undefined : countries.of(statedCountry)?.currency,
  };
}

function addMinorUnits(
  draft: Draft,
  name: string,
  { amount, currency, confidence }: Amount & Pick<Cause, 'confidence'>,
): void {
  const isPrice = name === 'amount' ? draft.path.endsWith('rice') : WITH_MINOR_UNITS.has(name);
  if (currency === undefined || !isPrice || !/^-?\d+(\.\d+)?$/.test(amount)) return;
  const minor = minorUnits(amount, currency);
  const member = name === 'amount' ? 'minor' : `${name}Minor`;
  if (minor === undefined) {
    const detail = `The amount has more decimals than ${currency} has minor units for.`;
    draft.leave(name, { code: 'amount.decimals', detail });
  } else if (draft.isFree(member)) {
    draft.set(member, minor, { rule: 'amount.minor', confidence }, name);
  } else if (String(numberText(draft.get(member)) ?? draft.get(member)) !== minor) {
    draft.leave(member, {
      code: 'amount.minor',
      detail: `The amount is ${minor} minor units of ${currency}.`,
      candidates: [minor],
    });
  }
}
