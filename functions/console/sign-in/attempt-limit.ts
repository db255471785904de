import { isIPv4, isIPv6 } from 'node:net';

/** A series of failed attempts without a pause between them. */
export interface Series {
  readonly failures: number;
  /** The time of the last attempt, in milliseconds. */
  readonly lastAt: number;
}

/** The key of a series. All series of one name have the same owner, so that they can be listed. */
export interface CountKey {
  readonly owner: string;
  readonly part: string;
}

export interface SeriesChange {
  readonly counted: CountKey;
  readonly from: Series | undefined;
  readonly to: Series;
}

export interface AttemptCounts {
  readonly read: (counted: readonly CountKey[]) => Promise<readonly (Series | undefined)[]>;
  /** Makes all changes, or none and returns false if one of the series has changed since it was read. */
  readonly replace: (changes: readonly SeriesChange[]) => Promise<boolean>;
}

/**
 * A series ends after this time without an attempt. The user pool locks a name for 2^(n-5) seconds after its nth
 * consecutive failure, and resets after 15 minutes without one: our pause is longer, so the attempts that we allow
 * never add up there.
 */
export const PAUSE_MILLIS = 16 * 60_000;

const isOver = ({ lastAt }: Series, now: number) => now - lastAt >= PAUSE_MILLIS;

/** Returns the time at which the series allows an attempt again; undefined if it does now. */
export const closedUntil = (series: Series | undefined, maxFailures: number, now: number): number | undefined =>
  series && !isOver(series, now) && series.failures >= maxFailures ? series.lastAt + PAUSE_MILLIS : undefined;

/** Adds an attempt to a series. Its time never goes back, although clocks differ. */
export function withAttempt(series: Series | undefined, now: number): Series {
  const current = series && !isOver(series, now) ? series : { failures: 0, lastAt: now };
  return { failures: current.failures + 1, lastAt: Math.max(current.lastAt, now) };
}

const withoutAttempt = ({ failures, lastAt }: Series): Series => ({ failures: Math.max(0, failures - 1), lastAt });

export interface SignInAttempt {
  readonly name: string;
  /** @default passwords and codes of signing in */
  readonly series?: AttemptSeries | undefined;
  /** The IP address of the caller, as the gateway reports it. */
  readonly address: string;
  /** The id of the browser, if the name has signed in with it before. */
  readonly device?: string | undefined;
}

/** The maximum number of failures with one name in a browser, or in all browsers of a network. */
export const MAX_FAILURES_PER_BROWSER = 5;
/** The maximum number of failures with one name in all new browsers together. */
export const MAX_FAILURES_PER_NAME = 10;
/** The maximum number of failures of new browsers in one network, with any name. */
const MAX_FAILURES_PER_NETWORK = 100;

export type Reason = 'browser' | 'name' | 'network';

interface Limit {
  readonly counted: CountKey;
  readonly maxFailures: number;
  readonly reason: Reason;
}

/**
 * Codes for forgotten passwords that were asked for, and resets by them. They are counted beside sign-ins, so that
 * strangers who ask for codes lock nobody's sign-in.
 */
export type AttemptSeries = 'code' | 'reset';

/** Returns the owner of the series of a name, whatever its case. */
export const ownerOf = (name: string, series?: AttemptSeries): string =>
  `${series === undefined ? '' : `${series} `}name ${name.toLowerCase()}`;
/** All owners of series of a name. */
export const ownersOf = (name: string): readonly string[] => [
  ownerOf(name),
  ownerOf(name, 'code'),
  ownerOf(name, 'reset'),
];
export const NAME_PART = 'NAME';

/**
 * Returns the limits of an attempt. A browser with which the name has signed in before has a limit of its own, so that
 * strangers cannot lock it. All others count for the pair of name and network, and share a small limit for the name.
 */
function limitsOf({ name, series, address, device }: SignInAttempt): readonly Limit[] {
  const owner = ownerOf(name, series);
  if (device !== undefined) {
    return [{ counted: { owner, part: `DEVICE ${device}` }, maxFailures: MAX_FAILURES_PER_BROWSER, reason: 'browser' }];
  }
  const network = networkOf(address);
  return [
    { counted: { owner, part: `PAIR ${network}` }, maxFailures: MAX_FAILURES_PER_BROWSER, reason: 'browser' },
    { counted: { owner, part: NAME_PART }, maxFailures: MAX_FAILURES_PER_NAME, reason: 'name' },
    {
      counted: { owner: `network ${network}`, part: 'NETWORK' },
      maxFailures: MAX_FAILURES_PER_NETWORK,
      reason: 'network',
    },
  ];
}

export type Attempt =
  /** The attempt is allowed; it is given back if it succeeds. */
  | { readonly kind: 'taken'; readonly giveBack: () => Promise<void> }
  | { readonly kind: 'closed'; readonly reason: Reason; readonly until: number };

/** The number of tries to count an attempt: they all fail only with very many attempts at the same time. */
const TRIES = 20;
const BUSY_MILLIS = 60_000;

/**
 * Counts an attempt before the password is checked, so that concurrent ones cannot exceed the limit. A refused attempt
 * is not counted. Names that do not exist are counted alike.
 */
export async function takeAttempt(counts: AttemptCounts, attempting: SignInAttempt, now: number): Promise<Attempt> {
  const limits = limitsOf(attempting);
  const counted = limits.map((limit) => limit.counted);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const series = await counts.read(counted);
    for (const [index, { maxFailures, reason }] of limits.entries()) {
      const until = closedUntil(series[index], maxFailures, now);
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

/** Gives an attempt back. If other writes always win, it stays counted until the next pause. */
async function giveBack(counts: AttemptCounts, counted: readonly CountKey[]): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const series = await counts.read(counted);
    const changes = counted.flatMap((one, index) => {
      const from = series[index];
      return from ? [{ counted: one, from, to: withoutAttempt(from) }] : [];
    });
    if (changes.length === 0 || (await counts.replace(changes))) return;
  }
}

/** Returns the whole minutes until then, at least one. */
export const minutesUntil = (until: number, now: number): number => Math.max(1, Math.ceil((until - now) / 60_000));

/**
 * Returns the network of an address: a /24 of IPv4, and a /48 of IPv6, which providers assign to one customer. An
 * attacker with one of its addresses can easily use the others.
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
