import type { Answer, Answers, Claim, ClaimResult } from '#shared/idempotency/answer';
import { log } from '#shared/telemetry/log';
import { type Account, counterOf, quotaOf, TEST_COUNTER } from '../billing/balances/account.ts';
import type { Caller } from '../billing/metering/admission.ts';
import type { LateUsage } from '../billing/metering/late-usage.ts';
import type { Metering, MeteringResult } from '../billing/metering/metering.ts';
import { Problem } from './problem.ts';
import { quotaExceeded, rateLimited, revoked } from './refusals.ts';

export interface MeteredParts {
  readonly metering: Metering;
  readonly answers: Answers;
  /** Notes that the caller's credential was used. It never fails. */
  readonly noteUse: (caller: Caller) => Promise<void>;
  /** Announces the thresholds that this conversion has reached. */
  readonly announceThresholds: (caller: Caller, item: Account) => Promise<void>;
}

/** A call of a metered route by an authenticated caller. */
export interface MeteredCall {
  readonly caller: Caller;
  readonly requestId: string;
  /** Milliseconds. */
  readonly now: number;
  /** The claim of the caller's idempotency key, if it sent one. */
  readonly claim?: Claim | undefined;
}

/** The answer of the route, and whether it counts. */
export interface CountableAnswer {
  readonly answer: Answer;
  readonly isCounted: boolean;
}

export interface Settlement {
  readonly answer: Answer | Problem;
  readonly item: Account | undefined;
  readonly retryAfterSeconds?: number;
  readonly isReplay?: boolean;
  readonly quota: { readonly taken: 0 | 1; readonly cost: 0 | 1 };
}

/**
 * The remaining conversions below which the claim is made first: a repeated request must not fail for a conversion that
 * it does not take.
 */
const PLENTY = 50;

/**
 * Meters a call: takes a token and a conversion, does the work, and settles. A conversion stays counted if the answer
 * counts, and is given back in all other cases.
 */
export async function serveMetered(
  parts: MeteredParts,
  call: MeteredCall,
  work: () => Promise<CountableAnswer>,
): Promise<Settlement> {
  const { metered, claimed, held } = await beginCall(parts, call);
  if (!isAdmitted(metered)) {
    await release(parts, held);
    return refusalOf(metered, call.caller);
  }
  if (claimed.kind !== 'first') {
    await giveBack(parts, call, metered);
    return earlierAnswer(claimed, metered);
  }
  const { write } = metered.kind === 'unmetered' ? metered : {};
  const isLate = metered.kind === 'unmetered' && write === undefined;
  const use = metered.kind === 'admitted' ? parts.noteUse(call.caller) : undefined;
  // The announcement runs beside the work, so that an outage adds no wait of its own.
  const late = isLate ? parts.metering.countLater(usage(call, metered.item, 1)) : undefined;
  const worked = await work();
  await Promise.all([late, use]);
  if (worked.isCounted) {
    if (write) void parts.metering.countOnce(write, 'not-counted', usage(call, metered.item, 1));
    await Promise.all([complete(parts, held, worked.answer), announce(parts, call, metered)]);
  } else {
    const isSent = late !== undefined;
    await Promise.all([
      release(parts, held),
      isSent ? parts.metering.countLater(usage(call, metered.item, -1)) : giveBack(parts, call, metered),
    ]);
  }
  return {
    answer: worked.answer,
    item: metered.item,
    quota: { taken: takenBy(metered), cost: worked.isCounted ? 1 : 0 },
  };
}

type AdmittedCall = Extract<MeteringResult, { readonly kind: 'admitted' | 'unmetered' }>;
const isAdmitted = (metered: MeteringResult): metered is AdmittedCall =>
  metered.kind === 'admitted' || metered.kind === 'unmetered';

const takenBy = (metered: AdmittedCall): 0 | 1 => (metered.kind === 'admitted' && metered.reservation ? 1 : 0);

interface Begun {
  readonly metered: MeteringResult;
  readonly claimed: ClaimResult;
  /** The claim, if this request holds the key. */
  readonly held: Claim | undefined;
}

/** Takes the key and the conversion concurrently, or in sequence if conversions are few or their number is unknown. */
async function beginCall(parts: MeteredParts, { caller, claim, now }: MeteredCall): Promise<Begun> {
  const { metering } = parts;
  const admit = (counts: boolean) => metering.admit({ caller, counts });
  if (!claim || metering.isOpen) return { metered: await admit(true), claimed: FIRST, held: undefined };
  const item = metering.lastSeen(caller.tenant);
  if (item && hasPlenty(item, caller)) {
    const [metered, claimed] = await Promise.all([admit(true), tryClaim(parts, claim, now)]);
    // Other functions have used up the conversions that this one saw: a repeated request does not need one.
    const isBlocked = metered.kind === 'quota-exceeded' && needsNone(claimed);
    return begun(isBlocked ? await admit(false) : metered, claimed, claim);
  }
  const claimed = await tryClaim(parts, claim, now);
  return begun(await admit(!needsNone(claimed)), claimed, claim);
}

/** Replays a request that was made before, which takes no conversion. */
const needsNone = (claimed: ClaimResult | undefined): boolean => claimed !== undefined && claimed.kind !== 'first';

const begun = (metered: MeteringResult, claimed: ClaimResult | undefined, claim: Claim): Begun => ({
  metered,
  claimed: claimed ?? FIRST,
  held: claimed?.kind === 'first' ? claim : undefined,
});

const FIRST: ClaimResult = { kind: 'first' };

function hasPlenty(item: Account, { mode }: Caller): boolean {
  const { hardLimit, used } = quotaOf(item, mode);
  return hardLimit - used >= PLENTY;
}

/** Claims the key; undefined if the store of answers does not answer, and then the request runs as if it had no key. */
async function tryClaim({ answers }: MeteredParts, claim: Claim, now: number): Promise<ClaimResult | undefined> {
  return answers.claim(claim, now).catch((error: unknown) => {
    log.warn('idempotency is not available', { error });
    return undefined;
  });
}

function refusalOf(metered: Exclude<MeteringResult, AdmittedCall>, { mode }: Caller): Settlement {
  const quota = { taken: 0, cost: 0 } as const;
  if (metered.kind === 'unknown-credential') return { answer: revoked(), item: undefined, quota };
  const { item } = metered;
  if (metered.kind === 'quota-exceeded') return { answer: quotaExceeded(metered.item, mode), item, quota };
  const { retryAfterSeconds } = metered;
  return { answer: rateLimited(retryAfterSeconds), item, retryAfterSeconds, quota };
}

/** The answer of an earlier request with the same key: it takes no conversion. */
function earlierAnswer(claimed: Exclude<ClaimResult, { kind: 'first' }>, metered: AdmittedCall): Settlement {
  const settled = { item: metered.item, quota: { taken: takenBy(metered), cost: 0 } } as const;
  if (claimed.kind === 'replay') return { ...settled, answer: claimed.answer, isReplay: true };
  return { ...settled, answer: claimed.kind === 'reused' ? reused() : inProgress() };
}

const reused = () =>
  new Problem(
    422,
    'idempotency-key-reused',
    'This Idempotency-Key was sent with another body. Use a new key for a new request.',
  );

const inProgress = () =>
  new Problem(
    409,
    'idempotency-in-progress',
    'The first request with this Idempotency-Key has no answer yet. Wait, then send it again.',
    { headers: { 'retry-after': '1' } },
  );

/** Stores the answer. If that fails, the answer is valid but not replayed. */
async function complete({ answers }: MeteredParts, held: Claim | undefined, answer: Answer): Promise<void> {
  if (held)
    await answers.complete(held, answer).catch((error: unknown) => log.warn('an answer was not kept', { error }));
}

async function release({ answers }: MeteredParts, held: Claim | undefined): Promise<void> {
  if (held) await answers.release(held).catch((error: unknown) => log.warn('a key was not freed', { error }));
}

async function announce(
  { announceThresholds }: MeteredParts,
  { caller }: MeteredCall,
  metered: AdmittedCall,
): Promise<void> {
  if (metered.kind !== 'admitted') return;
  await announceThresholds(caller, metered.item).catch((error: unknown) =>
    log.warn('thresholds were not announced', { error }),
  );
}

async function giveBack({ metering }: MeteredParts, call: MeteredCall, metered: AdmittedCall): Promise<void> {
  if (metered.kind === 'unmetered') {
    if (metered.write) void metering.countOnce(metered.write, 'counted', usage(call, metered.item, -1));
    return;
  }
  if (!metered.reservation) return;
  await metering.giveBack(metered.reservation, {
    ...usage(call, metered.item, -1),
    counter: metered.reservation.counter,
  });
}

/** The usage for the queue. If the function has never seen the account, the worker determines the period. */
function usage({ caller, requestId, now }: MeteredCall, item: Account | undefined, amount: 1 | -1): LateUsage {
  const isInPeriod = item !== undefined && item.periodEnd / 1_000 > now;
  const counter = caller.mode === 'test' ? TEST_COUNTER : isInPeriod ? counterOf(item.periodId) : undefined;
  return {
    id: `${requestId}${amount === 1 ? '' : '-back'}`,
    tenant: caller.tenant,
    mode: caller.mode,
    at: now,
    ...(counter !== undefined && { counter }),
    amount,
  };
}
