import { type BucketWrite, firstWrite, nextWrite } from '#shared/metering/bucket-write';
import { type Account, counterOf, TEST_COUNTER } from '../balances/account.ts';
import type { AccountCache } from './account-cache.ts';
import { type Admission, type Caller, isOverflowId, type Reservation, refusalReason, type Spend } from './admission.ts';

/** One conditional write that takes a token, and a conversion if the request counts. */
export interface Taking extends Spend, BucketWrite {
  readonly item: Pick<Account, 'version' | 'tokenMicros' | 'burst' | 'periodId'>;
}

export type Taken =
  | { readonly done: true; readonly item: Account }
  | { readonly done: false; readonly item: Account | undefined };

/** The meter's table. Every call ends within the time of its request. */
export interface MeterStore {
  read(tenant: string, signal: AbortSignal): Promise<Account | undefined>;
  take(taking: Taking, signal: AbortSignal): Promise<Taken>;
  /** Applies changes that have come due, such as the next period; undefined if another function did so first. */
  advance(tenant: string, item: Account, signal: AbortSignal): Promise<Account | undefined>;
  /** Gives one conversion back to the counter that it was taken from; false if that counter has none. */
  giveBack(reservation: Reservation, signal: AbortSignal): Promise<boolean>;
  /** Returns whether a credential outside of the account's item is in force. */
  knowsOverflow(caller: Caller, signal: AbortSignal): Promise<boolean>;
}

export interface MeterParts {
  readonly store: MeterStore;
  readonly cache: AccountCache;
  /** Microseconds that never go back. */
  readonly now: () => number;
  /** Counts events that operators should see. */
  readonly report: (name: 'MeterGaveUp') => void;
}

/** The most calls to the table by one request, besides the first read of an account. */
const TRIES_MAX = 4;

/** Takes a token and, on metered routes, a conversion; or returns the reason for a refusal. A refusal takes nothing. */
export async function admit(parts: MeterParts, spend: Spend, signal: AbortSignal): Promise<Admission> {
  const { store, cache, now } = parts;
  const { caller, counts } = spend;
  const refusal = cache.refusal(caller.tenant, { mode: caller.mode, counts }, now());
  if (refusal?.kind === 'rate') return { ...refusal, kind: 'rate-limited' };
  if (refusal?.kind === 'quota') return { ...refusal, kind: 'quota-exceeded' };
  if (isOverflowId(caller.credentialId) && !(await store.knowsOverflow(caller, signal))) return UNKNOWN;
  let item = cache.itemOf(caller.tenant) ?? (await readItem(parts, caller.tenant, signal));
  let write = firstWrite(cache.guess(caller.tenant, now()), now());
  for (let tries = 0; item && tries < TRIES_MAX; tries += 1) {
    const attempt: Taking = { ...spend, item, ...write };
    const taken = await store.take(attempt, signal);
    if (taken.item) cache.saw(caller.tenant, taken.item);
    if (taken.done) {
      cache.admitted(caller.tenant, write.branch);
      return admitted(spend, taken.item);
    }
    const next = await afterRefusal(parts, attempt, taken.item, signal);
    if ('answer' in next) return next.answer;
    item = next.item;
    if (item) write = nextWrite(item.arrival, attempt, now());
  }
  if (!item) return UNKNOWN;
  parts.report('MeterGaveUp');
  return { kind: 'rate-limited', item, retryAfterSeconds: 1 };
}

const UNKNOWN = { kind: 'unknown-credential' } as const;

/** Returns the answer, or the item to try again with. */
async function afterRefusal(
  parts: MeterParts,
  { item: { version }, now, ...spend }: Taking,
  item: Account | undefined,
  signal: AbortSignal,
): Promise<{ readonly answer: Admission } | { readonly item: Account | undefined }> {
  const { cache, store } = parts;
  const { tenant, mode } = spend.caller;
  const refusal = refusalReason({ ...spend, version, now }, item);
  if (!item || refusal.kind === 'unknown-credential') {
    if (!item) cache.forget(tenant);
    return { answer: UNKNOWN };
  }
  switch (refusal.kind) {
    case 'rate':
      cache.deniedByRate(tenant, refusal.opensAt, now);
      return { answer: { kind: 'rate-limited', item, retryAfterSeconds: refusal.retryAfterSeconds } };
    case 'quota':
      cache.deniedByQuota(tenant, mode, now);
      return { answer: { kind: 'quota-exceeded', item } };
    case 'ended-period': {
      const advanced = await store.advance(tenant, item, signal);
      return { item: advanced ?? (await readItem(parts, tenant, signal)) };
    }
    default:
      // The write was made for other limits or for the other branch; the item now has the right ones.
      return { item };
  }
}

async function readItem({ store, cache }: MeterParts, tenant: string, signal: AbortSignal) {
  const item = await store.read(tenant, signal);
  if (item) cache.saw(tenant, item);
  return item;
}

function admitted({ caller: { tenant, mode }, counts }: Spend, item: Account): Admission {
  const counter = mode === 'test' ? TEST_COUNTER : counterOf(item.periodId);
  return { kind: 'admitted', item, ...(counts && { reservation: { tenant, counter } }) };
}
