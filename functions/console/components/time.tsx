import { durationText } from './durations.ts';
import { timeText, utcText } from './times.ts';
import { useView } from './view.ts';

interface TimeProps {
  /** ISO 8601; nothing is shown of a time that there is not. */
  readonly at: string | null | undefined;
  /** Without the day where it is the day of this time. */
  readonly sameDayAs?: string | undefined;
  /** @default with the time of day */
  readonly only?: 'day';
}

/** A moment in the time zone of the person, with UTC in its title. */
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

/** How long ago or ahead a moment is, in one unit. */
export function Ago({ at }: { readonly at: string }) {
  const { now } = useView();
  const millis = now - Date.parse(at);
  return (
    <time class="nowrap" dateTime={at} title={utcText(Date.parse(at))}>
      {millis < 0 ? `in ${durationText(-millis)}` : `${durationText(millis)} ago`}
    </time>
  );
}
