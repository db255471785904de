import { numberText } from '#shared/formats/exact-json';
import { currencyBeside, isInUnknownCurrency, readAmountBeside } from '../fields/amount-field.ts';
import { AMOUNT_NAMES } from '../fields/field.ts';
import { type Amount, minorUnits } from '../values/texts/amounts.ts';
import type { Cause } from './findings.ts';
import { leaveOpen } from './open-reading.ts';
import type { Spot } from './spot.ts';

/** Separates an amount from its currency, and adds the currency and the minor units if these members are free. */
export function normalizeAmount(spot: Spot): void {
  const { draft, key, name, member, around, scope } = spot;
  const value = draft.get(key);
  const beside = currencyBeside(member, around.get);
  const digits = numberText(value);
  if (digits !== undefined)
    return addMinorUnits(spot, { amount: digits, ...(beside.code && { currency: beside.code }), confidence: 'high' });
  if (typeof value !== 'string') {
    draft.leave(key, { code: 'amount.wrong-type', detail: 'An amount is a text or a number.' });
    return;
  }
  const reading = readAmountBeside(value, beside, scope);
  if (reading.kind !== 'read') return leaveOpen(draft, key, 'amount', reading);
  const { value: amount, confidence } = reading;
  if (isInUnknownCurrency(amount, beside)) {
    draft.leave(key, {
      code: 'amount.currency',
      detail: `The record names no currency that is known in ${beside.name}.`,
    });
    return;
  }
  draft.set(key, amount.amount, { rule: 'amount.decimal', confidence });
  if (amount.currency !== undefined)
    around.set(beside.name, amount.currency, { rule: 'amount.currency', confidence }, name);
  addMinorUnits(spot, { ...amount, confidence });
}

function addMinorUnits(
  { draft, name, member: { isPrice }, around }: Spot,
  { amount, currency, confidence }: Amount & Pick<Cause, 'confidence'>,
): void {
  if (currency === undefined || !isPrice || draft !== around || !/^-?\d+(\.\d+)?$/.test(amount)) return;
  const minor = minorUnits(amount, currency);
  const member = AMOUNT_NAMES.some((each) => each === name) ? 'minor' : `${name}Minor`;
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
