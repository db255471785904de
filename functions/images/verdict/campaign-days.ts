/** The zone in which the days of a campaign begin and end, where a country has several: that of most of its people. */
const ZONES: Readonly<Record<string, string>> = {
  AU: 'Australia/Sydney',
  CA: 'America/Toronto',
  DE: 'Europe/Berlin',
  GB: 'Europe/London',
  MY: 'Asia/Kuala_Lumpur',
  SG: 'Asia/Singapore',
  US: 'America/New_York',
};

interface Period {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly country: string;
}

/** First and last day of a campaign in its country. It ends before `endsAt`. */
export function daysOf({ startsAt, endsAt, country }: Period): { readonly first: string; readonly last: string } {
  const timeZone = ZONES[country] ?? 'UTC';
  // The locale that writes dates as 2026-03-05.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return { first: format.format(Date.parse(startsAt)), last: format.format(Date.parse(endsAt) - 1) };
}
