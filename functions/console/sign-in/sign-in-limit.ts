import { isoTime } from '#shared/formats/timestamp';
import {
  closedUntil,
  MAX_FAILURES_PER_BROWSER,
  MAX_FAILURES_PER_NAME,
  NAME_PART,
  type Series,
} from './attempt-limit.ts';

interface PartSeries {
  readonly kind: string;
  readonly series: Series;
}

/** The lock of a name after wrong passwords, as the management API shows it. Names that do not exist look alike. */
export function presentLimit(name: string, parts: readonly PartSeries[], now: number) {
  const ofName = parts.find(({ kind }) => kind === NAME_PART)?.series;
  const until = closedUntil(ofName, MAX_FAILURES_PER_NAME, now);
  const closed = (partKind: string) =>
    parts.filter(
      ({ kind, series }) => kind === partKind && closedUntil(series, MAX_FAILURES_PER_BROWSER, now) !== undefined,
    ).length;
  return {
    name,
    /** The time until which new browsers cannot sign in with this name. */
    newBrowsersClosedUntil: until === undefined ? null : isoTime(until),
    closedNetworks: closed('PAIR'),
    closedBrowsers: closed('DEVICE'),
  };
}
