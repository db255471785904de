import * as z from 'zod';
import { brokenText, phoneOf, possiblePhone, postcodeWithZeros } from '../fields/value-kinds.ts';
import { readPostcode } from '../values/addresses/postcodes.ts';
import { phoneDetail } from '../values/phones/phones.ts';
import { readEmail, readHost, readWebAddress } from '../values/texts/hosts.ts';
import type { Reading } from '../values/texts/reading.ts';
import { tidyLine } from '../values/texts/tidy.ts';
import type { Judgement, Spot } from './judgement.ts';

const Flag = z.union([z.boolean(), z.enum(['true', 'false'])]);

/** The text of a field that must hold one; otherwise undefined, and an issue is recorded. Empty text counts as none. */
export function textOf({ value, path }: Pick<Spot, 'value' | 'path'>, judgement: Judgement): string | undefined {
  if (typeof value !== 'string') {
    judgement.error(path, 'type.text', { detail: 'The value must be text.' });
    return undefined;
  }
  const broken = brokenText(value);
  if (broken === undefined) return value.trim() === '' ? undefined : value;
  judgement.error(path, broken.code, { detail: broken.detail, suggestion: broken.candidates?.[0] });
  return undefined;
}

export function judgeFlag({ value, path }: Spot, judgement: Judgement) {
  if (!Flag.safeParse(value).success) {
    judgement.error(path, 'type.flag', { detail: 'The value must be true or false.' });
  }
}

/** Judges phone, fax and mobile numbers. */
export async function judgePhone(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const { country } = judgement;
  const phone = await phoneOf(text, spot.context);
  if (phone.reason === 'no-country') {
    judgement.warn(spot.path, 'phone.no-country', { detail: phoneDetail(phone.reason) });
  } else if (!phone.possible) {
    judgement.error(spot.path, `phone.${phone.reason}`, phone.reason && { detail: phoneDetail(phone.reason) });
  } else if (!phone.valid) {
    const printed = await possiblePhone(phone, spot.context);
    judgement.warn(spot.path, 'phone.possible-not-valid', printed === text ? {} : { suggestion: printed });
  } else if (country !== undefined && phone.country !== undefined && phone.country !== country) {
    const detail = `The number belongs to ${phone.country}, and the record to ${country}.`;
    judgement.warn(spot.path, 'phone.country', { detail });
  }
}

export async function judgeCountry(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const { countries, options, suggestions } = spot.context;
  const match = countries.read(tidyLine(text), options.locale);
  if ('alpha2' in match) {
    judgement.country ??= match.alpha2;
    return;
  }
  if (match.length > 0) {
    const detail = `This may be ${match.join(' or ')}. Write one of these codes.`;
    judgement.error(spot.path, 'country.ambiguous', { detail });
    return;
  }
  const suggestion = suggestions.country(text);
  const detail = 'There is no country of this code or name in ISO 3166.';
  judgement.error(spot.path, 'country.unknown', { detail, suggestion });
}

export function judgePostcode(spot: Spot, judgement: Judgement) {
  const number = typeof spot.value === 'number' && Number.isSafeInteger(spot.value) ? String(spot.value) : undefined;
  const text = number ?? textOf(spot, judgement);
  const { country } = spot.context;
  if (text === undefined || country === undefined) return;
  const reading = readPostcode(text, country);
  if (reading === undefined || reading.kind === 'read') return;
  const suggestion = postcodeWithZeros(text, country);
  judgement.error(spot.path, 'postcode.format', { detail: reading.detail, suggestion });
}

export const judgeEmail = (spot: Spot, judgement: Judgement) =>
  judgeReading(spot, judgement, { code: 'email', read: readEmail });
export const judgeWeb = (spot: Spot, judgement: Judgement) =>
  judgeReading(spot, judgement, { code: 'url', read: readWebAddress });
export const judgeHost = (spot: Spot, judgement: Judgement) =>
  judgeReading(spot, judgement, { code: 'host', read: readHost });

function judgeReading(
  spot: Spot,
  judgement: Judgement,
  { code, read }: { code: string; read: (text: string) => Reading<string> },
) {
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const reading = read(text);
  if (reading.kind !== 'read') judgement.error(spot.path, `${code}.format`, { detail: reading.detail });
}
