/** Locks sign-in after too many failed attempts. `present-lockout.ts` shows a lockout to operators. */
import { isIPv4, isIPv6 } from 'node:net';

/** Failed attempts in a row, each less than `LOCKOUT_MILLIS` after the one before it. */
export interface FailureSeries {
  readonly failures: number;
  /** The time of the last attempt, in milliseconds. */
  readonly lastAt: number;
}

/** The key of a counter of failures. All counters of one name have the same owner, so that they can be listed. */
export interface CounterKey {
  readonly owner: string;
  readonly part: string;
}

export interface FailuresChange {
  readonly key: CounterKey;
  readonly from: FailureSeries | undefined;
  readonly to: FailureSeries;
}

export interface AttemptCounts {
  readonly read: (keys: readonly CounterKey[]) => Promise<readonly (FailureSeries | undefined)[]>;
  /** Makes all changes, or none and returns false if one of the series has changed since it was read. */
  readonly replace: (changes: readonly FailuresChange[]) => Promise<boolean>;
}

/**
 * A lockout ends, and failures are forgotten, this long after the last attempt. The user pool locks a name for 2^(n-5)
 * seconds after its nth consecutive failure, and forgets failures after 15 minutes. Ours lasts longer, so the attempts
 * that we allow never trigger that lock.
 */
export const LOCKOUT_MILLIS = 16 * 60_000;

const isOver = ({ lastAt }: FailureSeries, now: number) => now - lastAt >= LOCKOUT_MILLIS;

/** Returns when an attempt is allowed again; undefined if it is allowed now. */
export const lockedUntil = (series: FailureSeries | undefined, maxFailures: number, now: number): number | undefined =>
  series && !isOver(series, now) && series.failures >= maxFailures ? series.lastAt + LOCKOUT_MILLIS : undefined;

/** Counts a failure. The time never goes back, although clocks differ. */
export function withFailure(series: FailureSeries | undefined, now: number): FailureSeries {
  const current = series && !isOver(series, now) ? series : { failures: 0, lastAt: now };
  return { failures: current.failures + 1, lastAt: Math.max(current.lastAt, now) };
}

const withoutFailure = ({ failures, lastAt }: FailureSeries): FailureSeries => ({
  failures: Math.max(0, failures - 1),
  lastAt,
});

export interface SignInAttempt {
  readonly name: string;
  /** Absent for the password or code of a sign-in. */
  readonly kind?: AttemptKind | undefined;
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
  readonly key: CounterKey;
  readonly maxFailures: number;
  readonly reason: Reason;
}

/**
 * A request for a reset code, and a reset with one. They are counted apart from sign-ins, so that strangers who request
 * codes for a name do not lock its sign-in.
 */
export type AttemptKind = 'code' | 'reset';

/** Returns the owner of the failures with a name. The case of letters does not matter. */
export const ownerOf = (name: string, kind?: AttemptKind): string =>
  `${kind === undefined ? '' : `${kind} `}name ${name.toLowerCase()}`;
/** The owners of the failures of each kind with a name. */
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
function limitsOf({ name, kind, address, device }: SignInAttempt): readonly Limit[] {
  const owner = ownerOf(name, kind);
  if (device !== undefined) {
    return [{ key: { owner, part: `DEVICE ${device}` }, maxFailures: MAX_FAILURES_PER_BROWSER, reason: 'browser' }];
  }
  const network = networkOf(address);
  return [
    { key: { owner, part: `PAIR ${network}` }, maxFailures: MAX_FAILURES_PER_BROWSER, reason: 'browser' },
    { key: { owner, part: NAME_PART }, maxFailures: MAX_FAILURES_PER_NAME, reason: 'name' },
    {
      key: { owner: `network ${network}`, part: 'NETWORK' },
      maxFailures: MAX_FAILURES_PER_NETWORK,
      reason: 'network',
    },
  ];
}

export type AttemptDecision =
  /** The attempt is allowed and counted as a failure; `giveBack` undoes that if it succeeds. */
  | { readonly kind: 'taken'; readonly giveBack: () => Promise<void> }
  | { readonly kind: 'locked-out'; readonly reason: Reason; readonly until: number };

/** The number of tries to count an attempt: they all fail only with very many attempts at the same time. */
const TRIES = 20;
const BUSY_MILLIS = 60_000;

/**
 * Counts an attempt before the password is checked, so that concurrent ones cannot exceed the limit. An attempt during a
 * lockout is not counted. Names that do not exist are counted in the same way.
 */
export async function takeAttempt(
  counts: AttemptCounts,
  attempt: SignInAttempt,
  now: number,
): Promise<AttemptDecision> {
  const limits = limitsOf(attempt);
  const keys = limits.map(({ key }) => key);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const series = await counts.read(keys);
    for (const [index, { maxFailures, reason }] of limits.entries()) {
      const until = lockedUntil(series[index], maxFailures, now);
      if (until !== undefined) return { kind: 'locked-out', reason, until };
    }
    const changes = keys.map((key, index) => ({
      key,
      from: series[index],
      to: withFailure(series[index], now),
    }));
    if (await counts.replace(changes)) return { kind: 'taken', giveBack: () => giveBack(counts, keys) };
  }
  return { kind: 'locked-out', reason: 'network', until: now + BUSY_MILLIS };
}

/** Uncounts an attempt that succeeded. If other writes always win, it stays counted until the failures are forgotten. */
async function giveBack(counts: AttemptCounts, keys: readonly CounterKey[]): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const series = await counts.read(keys);
    const changes = keys.flatMap((key, index) => {
      const from = series[index];
      return from ? [{ key, from, to: withoutFailure(from) }] : [];
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
