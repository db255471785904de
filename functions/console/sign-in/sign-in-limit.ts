import { isoTime } from '#shared/timestamp';
import { closedUntil, MOST_PER_BROWSER, MOST_PER_NAME, NAME_PART, type Series } from './attempt-limit.ts';

interface PartSeries {
  readonly kind: string;
  readonly series: Series;
}

/** How far wrong passwords have closed a name, as the management API shows it. A name that does not exist looks alike. */
export function presentLimit(name: string, parts: readonly PartSeries[], now: number) {
  const ofName = parts.find(({ kind }) => kind === NAME_PART)?.series;
  const until = closedUntil(ofName, MOST_PER_NAME, now);
  const closed = (asked: string) =>
    parts.filter(({ kind, series }) => kind === asked && closedUntil(series, MOST_PER_BROWSER, now) !== undefined)
      .length;
  return {
    name,
    /** Until then no browser is let in that the name was never signed in with. */
    newBrowsersClosedUntil: until === undefined ? null : isoTime(until),
    closedNetworks: closed('PAIR'),
    closedBrowsers: closed('DEVICE'),
  };
}
