import { isIPv6 } from 'node:net';

/** What is counted: failures under one name, or from one address, in one window of time. */
export interface Counted {
  readonly subject: string;
  /** Windows since 1970. */
  readonly window: number;
}

export interface AttemptCounts {
  /** Counts an attempt; false, and nothing counted, if there were so many in this window. */
  readonly take: (counted: Counted, most: number) => Promise<boolean>;
  readonly giveBack: (counted: Counted) => Promise<void>;
}

export interface Attempting {
  readonly name: string;
  /** Of the caller, as the gateway saw it. */
  readonly address: string;
}

export const WINDOW_MILLIS = 15 * 60_000;
const MOST_PER_NAME = 10;
const MOST_PER_ADDRESS = 50;

/** An attempt that was counted; a successful one is given back. */
export interface TakenAttempt {
  readonly giveBack: () => Promise<void>;
}

/**
 * Counts an attempt before the password is looked at, so that many at the same time cannot slip through; undefined if
 * there were too many. A name that does not exist is counted like one that does.
 */
export async function takeAttempt(
  counts: AttemptCounts,
  { name, address }: Attempting,
  now: number,
): Promise<TakenAttempt | undefined> {
  const window = Math.floor(now / WINDOW_MILLIS);
  const byAddress = { subject: `address ${networkOf(address)}`, window };
  const byName = { subject: `name ${name.toLowerCase()}`, window };
  if (!(await counts.take(byAddress, MOST_PER_ADDRESS))) return undefined;
  if (!(await counts.take(byName, MOST_PER_NAME))) return undefined;
  return {
    giveBack: async () => {
      await Promise.all([counts.giveBack(byAddress), counts.giveBack(byName)]);
    },
  };
}

/** Whole minutes until the current window ends, at least one. */
export const minutesToWait = (now: number): number => Math.ceil((WINDOW_MILLIS - (now % WINDOW_MILLIS)) / 60_000);

/** One customer of a provider has a whole /64 of IPv6. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = tail === undefined ? before : [...before, ...zeros(8 - before.length - after.length), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

const zeros = (count: number) => Array.from({ length: Math.max(0, count) }, () => '0');
