import { durationText } from './durations.ts';
import { timeText, utcText } from './times.ts';
import { useView } from './view.ts';

interface TimeProps {
  /** The time in ISO 8601; an absent one is shown as a dash. */
  readonly at: string | null | undefined;
  /** A time on whose day the day is left out. */
  readonly sameDayAs?: string | undefined;
  /** `date` has the year too. @default day and time of day */
  readonly only?: 'day' | 'date';
}

/** A time in the person's time zone, with UTC in its title. */
export function Time({ at, sameDayAs, only }: TimeProps) {
  const { timeZone, now } = useView();
  const millis = at ? Date.parse(at) : Number.NaN;
  if (!at || Number.isNaN(millis)) return <>–</>;
  const text = timeText(millis, { timeZone, now, only, sameDayAs: sameDayAs ? Date.parse(sameDayAs) : undefined });
  return (
    <time class="nowrap" dateTime={at} title={utcText(millis)}>
      {text}
    </time>
  );
}

/** The distance of a coming time from now; `now` for one that has just passed. */
export function Until({ at }: { readonly at: string }) {
  const { now } = useView();
  return Date.parse(at) <= now ? <>now</> : <Ago at={at} />;
}

/** The distance of a time from now, in one unit. */
export function Ago({ at }: { readonly at: string }) {
  const { now } = useView();
  const millis = now - Date.parse(at);
  return (
    <time class="nowrap" dateTime={at} title={utcText(Date.parse(at))}>
      {agoText(millis)}
    </time>
  );
}

function agoText(millis: number): string {
  // What is to come is not known to a tenth of a second.
  if (millis < 0) return `in ${durationText(Math.ceil(-millis / 1_000) * 1_000)}`;
  return millis < 60_000 ? 'just now' : `${durationText(millis)} ago`;
}

/** Returns the text of a day of the API, which is a UTC day in every time zone. */
export function useDayText(): (date: string) => string {
  const { now } = useView();
  return (date) => timeText(Date.parse(date), { timeZone: 'UTC', now, only: 'day' });
}
