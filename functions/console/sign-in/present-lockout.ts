import { isoTime } from '#shared/formats/timestamp';
import {
  type FailureSeries,
  lockedUntil,
  MAX_FAILURES_PER_BROWSER,
  MAX_FAILURES_PER_NAME,
  NAME_PART,
} from './lockout.ts';

interface PartFailures {
  readonly kind: string;
  readonly series: FailureSeries;
}

/** The lock of a name after wrong passwords, as the management API shows it. Names that do not exist look alike. */
export function presentLockout(name: string, parts: readonly PartFailures[], now: number) {
  const ofName = parts.find(({ kind }) => kind === NAME_PART)?.series;
  const until = lockedUntil(ofName, MAX_FAILURES_PER_NAME, now);
  const closed = (partKind: string) =>
    parts.filter(
      ({ kind, series }) => kind === partKind && lockedUntil(series, MAX_FAILURES_PER_BROWSER, now) !== undefined,
    ).length;
  return {
    name,
    /** The time until which new browsers cannot sign in with this name. */
    newBrowsersClosedUntil: until === undefined ? null : isoTime(until),
    closedNetworks: closed('PAIR'),
    closedBrowsers: closed('DEVICE'),
  };
}
