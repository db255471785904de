import { LOCALES } from '../receipts/locales.ts';

interface Period {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly country: string;
}

/** The first and last day of a campaign in its country. `endsAt` itself is excluded. */
export function daysOf({ startsAt, endsAt, country }: Period): { readonly first: string; readonly last: string } {
  const timeZone = LOCALES[country]?.timeZone ?? 'UTC';
  // This locale writes dates as 2026-03-05.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return { first: format.format(Date.parse(startsAt)), last: format.format(Date.parse(endsAt) - 1) };
}
