import { isIPv4, isIPv6 } from 'node:net';

/** Attempts that were counted without a pause between them, and have not succeeded. */
export interface Series {
  readonly failures: number;
  /** Milliseconds. */
  readonly lastAt: number;
}

/** Whose attempts a series counts. Series of one name stand together, so that all of them can be found. */
export interface Counted {
  readonly owner: string;
  readonly part: string;
}

export interface SeriesChange {
  readonly counted: Counted;
  readonly from: Series | undefined;
  readonly to: Series;
}

export interface AttemptCounts {
  readonly read: (counted: readonly Counted[]) => Promise<readonly (Series | undefined)[]>;
  /** Makes all changes, or none and answers false if one of the series is no longer what was read. */
  readonly replace: (changes: readonly SeriesChange[]) => Promise<boolean>;
}

/**
 * A series ends after so long without an attempt. The user pool locks a name for 2^(n-5) seconds after its nth failure in
 * a row, and forgets them after 15 minutes without one: our pause is longer, so what we let through never adds up there.
 */
export const PAUSE_MILLIS = 16 * 60_000;

const isOver = ({ lastAt }: Series, now: number) => now - lastAt >= PAUSE_MILLIS;

/** When the series lets an attempt through again; undefined if it does so now. */
export const closedUntil = (series: Series | undefined, most: number, now: number): number | undefined =>
  series && !isOver(series, now) && series.failures >= most ? series.lastAt + PAUSE_MILLIS : undefined;

/** The series with one more attempt. Clocks differ: its last attempt is never earlier than the one before. */
export function withAttempt(series: Series | undefined, now: number): Series {
  const current = series && !isOver(series, now) ? series : { failures: 0, lastAt: now };
  return { failures: current.failures + 1, lastAt: Math.max(current.lastAt, now) };
}

const withoutAttempt = ({ failures, lastAt }: Series): Series => ({ failures: Math.max(0, failures - 1), lastAt });

export interface Attempting {
  readonly name: string;
  /** Of the caller, as the gateway saw it. */
  readonly address: string;
  /** The browser, if the name was signed in with it before. */
  readonly device?: string | undefined;
}

/** Failures that a browser, or all that share a network, may have with one name. */
export const MOST_PER_BROWSER = 5;
/** Failures with one name of all browsers that it was never signed in with, wherever they are. */
export const MOST_PER_NAME = 10;
/** Failures of such browsers in one network, whatever the names are. */
const MOST_PER_NETWORK = 100;

export type Reason = 'browser' | 'name' | 'network';

interface Limit {
  readonly counted: Counted;
  readonly most: number;
  readonly reason: Reason;
}

/** Series of one name. Names are taken without their case. */
export const ownerOf = (name: string): string => `name ${name.toLowerCase()}`;
export const NAME_PART = 'NAME';

/**
 * What an attempt counts for. A browser that the name was signed in with before counts for itself alone, so no stranger can
 * close it. All others count for the pair of name and network, and share a small number of attempts for the name.
 */
function limitsOf({ name, address, device }: Attempting): readonly Limit[] {
  const owner = ownerOf(name);
  if (device !== undefined) {
    return [{ counted: { owner, part: `DEVICE ${device}` }, most: MOST_PER_BROWSER, reason: 'browser' }];
  }
  const network = networkOf(address);
  return [
    { counted: { owner, part: `PAIR ${network}` }, most: MOST_PER_BROWSER, reason: 'browser' },
    { counted: { owner, part: NAME_PART }, most: MOST_PER_NAME, reason: 'name' },
    { counted: { owner: `network ${network}`, part: 'NETWORK' }, most: MOST_PER_NETWORK, reason: 'network' },
  ];
}

export type Attempt =
  /** A successful one is given back. */
  | { readonly kind: 'taken'; readonly giveBack: () => Promise<void> }
  | { readonly kind: 'closed'; readonly reason: Reason; readonly until: number };

/** Somebody else changes a series at nearly every try only if there are very many at the same time. */
const TRIES = 20;
const BUSY_MILLIS = 60_000;

/**
 * Counts an attempt before the password is looked at, so that many at the same time cannot slip through. A refused one
 * counts for nothing. A name that does not exist is counted like one that does.
 */
export async function takeAttempt(counts: AttemptCounts, attempting: Attempting, now: number): Promise<Attempt> {
  const limits = limitsOf(attempting);
  const counted = limits.map((limit) => limit.counted);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const series = await counts.read(counted);
    for (const [index, { most, reason }] of limits.entries()) {
      const until = closedUntil(series[index], most, now);
      if (until !== undefined) return { kind: 'closed', reason, until };
    }
    const changes = counted.map((one, index) => ({
      counted: one,
      from: series[index],
      to: withAttempt(series[index], now),
    }));
    if (await counts.replace(changes)) return { kind: 'taken', giveBack: () => giveBack(counts, counted) };
  }
  return { kind: 'closed', reason: 'network', until: now + BUSY_MILLIS };
}

/** Where others are faster every time, the attempt stays counted until the next pause. */
async function giveBack(counts: AttemptCounts, counted: readonly Counted[]): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const series = await counts.read(counted);
    const changes = counted.flatMap((one, index) => {
      const from = series[index];
      return from ? [{ counted: one, from, to: withoutAttempt(from) }] : [];
    });
    if (changes.length === 0 || (await counts.replace(changes))) return;
  }
}

/** Whole minutes until then, at least one. */
export const minutesUntil = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 60_000));

/**
 * The network of an address: a /24 of IPv4, and a /48 of IPv6, which providers give to one customer as a whole. Whoever
 * has one address of either has the others at hand.
 */
export function networkOf(address: string): string {
  const plain = address.slice(address.lastIndexOf(':') + 1);
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = tail === undefined ? before : [...before, ...zeros(8 - before.length - after.length), ...after];
  return `${groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}

const zeros = (count: number) => Array.from({ length: Math.max(0, count) }, () => '0');
