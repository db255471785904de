import * as z from 'zod';
import { readPostcode } from '../knowledge/addresses/postcodes.ts';
import { phoneDetail, printPhone, readPhone } from '../knowledge/phones/phones.ts';
import { readEmail, readHost, readWebAddress } from '../knowledge/texts/hosts.ts';
import type { Reading } from '../knowledge/texts/reading.ts';
import type { Judgement, Spot } from './judgement.ts';

const Text = z.string();
const Flag = z.union([z.boolean(), z.enum(['true', 'false'])]);

/** The text of a field that must hold one; undefined, with an issue, where it does not. Blank text counts as none. */
export function textOf({ value, path }: Spot, judgement: Judgement): string | undefined {
  const { success, data } = Text.safeParse(value);
  if (!success) judgement.error(path, 'type.text', { detail: 'The value must be text.' });
  else if (!data.isWellFormed()) {
    const detail = 'The text has half of a character (a lone surrogate), which no file can hold.';
    judgement.error(path, 'text.lone-surrogate', { detail, suggestion: data.toWellFormed() });
  } else if (data.trim() !== '') return data;
  return undefined;
}

export function judgeFlag({ value, path }: Spot, judgement: Judgement) {
  if (!Flag.safeParse(value).success) {
    judgement.error(path, 'type.flag', { detail: 'The value must be true or false.' });
  }
}

/** Phone, fax and mobile numbers. */
export async function judgePhone(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const { country } = judgement;
  const phone = await readPhone(text, spot.country);
  const e164 = phone.e164 === undefined ? undefined : printPhone(phone);
  const rewritten = e164 === text ? {} : { suggestion: e164 };
  if (phone.reason === 'no-country') {
    judgement.warn(spot.path, 'phone.no-country', { detail: phoneDetail(phone.reason) });
  } else if (!phone.possible) {
    judgement.error(spot.path, `phone.${phone.reason}`, phone.reason && { detail: phoneDetail(phone.reason) });
  } else if (!phone.valid) judgement.warn(spot.path, 'phone.possible-not-valid', rewritten);
  else if (country !== undefined && phone.country !== undefined && phone.country !== country) {
    const detail = `The number belongs to ${phone.country}, and the record to ${country}.`;
    judgement.warn(spot.path, 'phone.country', { detail });
  }
}

export async function judgeCountry(spot: Spot, judgement: Judgement) {
  const text = textOf(spot, judgement);
  if (text === undefined) return;
  const { countries, options } = judgement.about;
  const found = countries.read(text, options.locale);
  if ('alpha2' in found) {
    judgement.country ??= found.alpha2;
    return;
  }
  if (found.length > 0) {
    const detail = `This may be ${found.join(' or ')}. Write one of these codes.`;
    judgement.error(spot.path, 'country.ambiguous', { detail });
    return;
  }
  const suggestion = countries.suggest(text, options.locale);
  const detail = 'There is no country of this code or name in ISO 3166.';
  judgement.error(spot.path, 'country.unknown', { detail, suggestion });
}

export function judgePostcode(spot: Spot, judgement: Judgement) {
  const number = typeof spot.value === 'number' && Number.isSafeInteger(spot.value) ? String(spot.value) : undefined;
  const text = number ?? textOf(spot, judgement);
  const { country } = spot;
  if (text === undefined || country === undefined) return;
  const reading = readPostcode(text, country);
  if (reading === undefined || reading.kind === 'read') return;
  const suggestion = withZeros(text, country);
  judgement.error(spot.path, 'postcode.format', { detail: reading.detail, suggestion });
}

/** The postcode with the zeros that a spreadsheet took away from its front. */
function withZeros(text: string, country: string): string | undefined {
  if (!/^\d{3,4}$/.test(text)) return undefined;
  const padded = readPostcode(text.padStart(5, '0'), country);
  return padded?.kind === 'read' ? padded.value : undefined;
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
