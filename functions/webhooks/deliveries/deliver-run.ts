import { log } from '#shared/telemetry/log';
import type { ClearSecrets, Configuration, Configurations } from '../configurations/configuration.ts';
import { PAUSED } from '../pauses/pause.ts';
import { type Attempt, attemptEnd, attemptOf, interruptedAttempt } from '../runs/attempt.ts';
import { hasEnded, isLeased, isParked, type LeasedRun, type Payload, type Run, type WaitingRun } from '../runs/run.ts';
import { type Claim, claim, failed, finish } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';
import { maskedAuthHeader } from '../sending/request-headers.ts';
import type { SendResult } from '../sending/sending.ts';
import type { AttemptOutcome, HeldSlot, Slot } from '../slots/admission.ts';
import { findAttemptRecord, finishForLostWorker } from './lost-worker.ts';
import { hasEarlierParkedRun, type ParkingDeps, park, pause, releaseSlot } from './parking.ts';
import { startParked, startWaiting, startWhenFree } from './start-parked.ts';
import { type Lane, laneOf, type Ticket, ticketOf } from './ticket.ts';

export interface DeliverDeps extends ParkingDeps {
  readonly runs: Runs;
  readonly configurations: Pick<Configurations, 'byId'>;
  /** The secrets of a configuration at this time; undefined if they can no longer be decrypted. */
  readonly secretsOf: (configuration: Configuration, now: number) => Promise<ClearSecrets | undefined>;
  readonly post: (post: Post & { readonly at: number }) => Promise<SendResult>;
  /** Reports every attempt that was made, or that was lost for good. */
  readonly reportAttempt: (run: Run, attempt: Attempt) => void;
  readonly newToken: () => string;
  /** The time for which a worker continues with runs that it starts itself. */
  readonly continueForMillis: number;
}

interface Post {
  readonly run: LeasedRun;
  readonly payload: Payload;
  readonly configuration: Configuration;
  readonly secrets: ClearSecrets;
}

export interface ReceivedMessage {
  readonly lane: Lane;
  readonly remainingMillis: () => number;
  readonly traceId?: string | undefined;
  /** Makes the message visible again after this time, in case this worker dies. */
  readonly hold: (millis: number) => Promise<void>;
}

/**
 * A started run would wait at the end of the queue while its slot is idle, so the worker continues with it. The limit
 * is short because the other messages of the batch wait for this worker.
 */
export const CONTINUE_FOR_MILLIS = 2_000;
/** The time that all writes after an attempt may take. */
const WRITING_MILLIS = 8_000;
/**
 * The delay after DynamoDB has throttled the writes to a slots item, as it does when very many workers write it at
 * once.
 */
const BUSY_MILLIS = 2_000;
/**
 * A slot ends soon after the deadline of its attempt, when the connection is closed. The lease of the run ends later,
 * because its worker may still be writing.
 */
const SLOT_MARGIN_MILLIS = 3_000;

/**
 * Handles a message, which may be delivered more than once, late, early or out of order. A failing endpoint is an
 * outcome; only a failure of our own infrastructure throws, and then SQS redelivers the message.
 */
export async function deliverRun(deps: DeliverDeps, ticket: Ticket, message: ReceivedMessage): Promise<void> {
  const until = deps.now() + deps.continueForMillis;
  for (let next: Ticket | undefined = ticket; next; ) {
    next = await deliverOne(deps, next, { ...message, mayContinue: () => deps.now() < until });
  }
}

interface Message extends ReceivedMessage {
  /** Returns whether there is time for another run. */
  readonly mayContinue: () => boolean;
}

/**
 * Decides which of the cases below applies to a ticket.
 * @returns the ticket of a run that was started with the slot of this one, if this worker is to continue with it
 */
async function deliverOne(deps: DeliverDeps, ticket: Ticket, message: Message): Promise<Ticket | undefined> {
  if (ticket.isWake) {
    await startWaiting(deps, { tenant: ticket.tenant, configurationId: ticket.configuration });
    return undefined;
  }
  const run = await deps.runs.byId({ tenant: ticket.tenant, id: ticket.run });
  if (!run) return undefined;
  const deliveringFrom = await deps.deliveringFrom(run.tenant);
  const step = claim(run, ticket.attempt, { now: deps.now(), token: deps.newToken(), deliveringFrom });
  const delivery = { run, ticket, message };
  const record = 'interrupted' in step && step.interrupted && (await findAttemptRecord(deps, run, step.interrupted));
  if (record) await finishForLost(deps, delivery, record);
  else if (step.kind === 'attempt' && !hasEnded(run) && !isParked(run)) {
    if (deliveringFrom !== PAUSED) return attemptInSlot(deps, { ...delivery, run, deliveringFrom });
    await pauseRun(deps, { ...delivery, run });
  } else if (step.kind === 'send' && isLeased(run)) await redeliverLater(deps, { ...delivery, run }, step);
  else await settleWithoutAttempt(deps, delivery, step);
  return undefined;
}

interface Delivery<R extends Run = Run> {
  readonly run: R;
  readonly ticket: Ticket;
  readonly message: Message;
}

/** Finishes an attempt from the record of a worker that died after it had recorded the outcome. Nothing is posted. */
async function finishForLost(deps: DeliverDeps, { run, ticket }: Delivery, record: Attempt): Promise<void> {
  await finishForLostWorker(deps, run, record);
  if (ticket.slot) await releaseUnused(deps, run, ticket.slot);
  // The slot of the lost worker is free, and no run was started in it.
  else await startWaiting(deps, run);
}

/** Parks a run while the tenant's webhooks are paused. */
async function pauseRun(deps: DeliverDeps, { run, ticket }: Delivery<Claimable>): Promise<void> {
  await pause(deps, run);
  if (ticket.slot) await releaseUnused(deps, run, ticket.slot);
}

/**
 * Sends the message again for later, because another worker makes the attempt. If that worker has died, its slot ends
 * first, and waiting runs continue; then its lease ends, and the attempt is repeated.
 */
async function redeliverLater(
  deps: DeliverDeps,
  { run, ticket, message }: Delivery<LeasedRun>,
  step: Extract<Claim, { kind: 'send' }>,
): Promise<void> {
  const slotMillis = await startWhenFree(deps, run);
  const delayMillis = Math.min(step.delayMillis, slotMillis ?? step.delayMillis);
  await deps.send(message.lane, ticketOf(run, step.attempt), delayMillis);
  if (ticket.slot) await releaseUnused(deps, run, ticket.slot);
}

/** Handles a message that needs no attempt: it is early, late or a duplicate, or the run ends or waits. */
async function settleWithoutAttempt(deps: DeliverDeps, { run, ticket, message }: Delivery, step: Claim): Promise<void> {
  const { runs, send, now, reportAttempt } = deps;
  if (step.kind === 'send') {
    const lane = step.attempt === ticket.attempt ? message.lane : laneOf(step);
    await send(lane, ticketOf(run, step.attempt), step.delayMillis);
  } else if (step.kind === 'end') await runs.replace(step.run);
  else if (step.kind === 'give-up' && (await runs.replace(step.run))) {
    reportAttempt(run, interruptedAttempt(run, step.interrupted, now()));
  }
  if (ticket.slot) await releaseUnused(deps, run, ticket.slot);
  // The lost worker's slot is free here as well.
  else if (step.kind === 'give-up' || step.kind === 'parked') await startWaiting(deps, run);
}

const releaseUnused = (deps: DeliverDeps, run: Run, slot: Slot) => releaseSlot(deps, run, { slot, outcome: 'unused' });

/** A run whose next attempt may begin. */
type Claimable = WaitingRun | LeasedRun;

interface Claiming extends Delivery<Claimable> {
  readonly deliveringFrom: number;
}

/** Takes a slot and makes the attempt; without a slot the run is parked. */
async function attemptInSlot(deps: DeliverDeps, claiming: Claiming): Promise<Ticket | undefined> {
  const { admission, now, send } = deps;
  const { run, ticket, message } = claiming;
  const from = now();
  const until = from + run.retryTimeoutSeconds * 1000 + SLOT_MARGIN_MILLIS;
  const admitted = await admission.enter(run, { now: from, until, reserved: ticket.slot });
  if (admitted.kind === 'busy') await send(message.lane, ticket, BUSY_MILLIS);
  if (admitted.kind === 'full') await park(deps, run, admitted.load);
  if (admitted.kind !== 'entered') return undefined;
  const { slot, load } = admitted;
  if (!ticket.slot && (await hasEarlierParkedRun(deps, admitted, run))) {
    await startParked(deps, run, { load, held: slot });
    await park(deps, run, load);
    return undefined;
  }
  const isSlow = message.lane === 'fast' && load.timeouts > 0;
  // Attempts that may take long stay out of the fast lane, and a function must not time out in the middle of a POST.
  // The slot travels with the message.
  if (isSlow || message.remainingMillis() < run.retryTimeoutSeconds * 1000 + WRITING_MILLIS) {
    await send(isSlow ? 'slow' : message.lane, { ...ticket, slot }, 0);
    return undefined;
  }
  let outcome: AttemptOutcome = 'unused';
  try {
    outcome = await attempt(deps, claiming, admitted);
  } catch (error) {
    await releaseSlot(deps, run, { slot, load, outcome });
    throw error;
  }
  return releaseSlot(deps, run, { slot, load, outcome, mayContinue: message.mayContinue });
}

async function attempt(
  deps: DeliverDeps,
  { run, ticket, message, deliveringFrom }: Claiming,
  held: HeldSlot,
): Promise<AttemptOutcome> {
  const { runs, now } = deps;
  const [payload, configuration] = await Promise.all([
    runs.payload(run),
    deps.configurations.byId({ tenant: run.tenant, id: run.configurationId }),
    holdMessage(held, run, message),
  ]);
  // An empty body means that the payload was too large to be stored.
  if (!payload?.body.length || !configuration) {
    return end(deps, run, configuration ? 'payload_missing' : 'config_missing');
  }
  if (!configuration.enabled) return end(deps, run, 'config_disabled');
  const secrets = await deps.secretsOf(configuration, now());
  if (!secrets) return end(deps, run, 'secret_unreadable');
  // Time has passed since the first claim, so it is checked again.
  const there = { ...run, targetUrl: configuration.targetUrl };
  const claimed = claim(there, ticket.attempt, { now: now(), token: deps.newToken(), deliveringFrom });
  if (claimed.kind !== 'attempt' || !(await runs.replace(claimed.run))) return 'unused';
  return postAndRecord(deps, { run: claimed.run, payload, configuration, secrets }, message.traceId);
}

/**
 * Extends the visibility of the message to the end of the slot, if runs wait for one: if this worker dies, they
 * continue when its message is redelivered, before the sweeper runs.
 */
async function holdMessage({ load }: HeldSlot, run: Claimable, { hold }: ReceivedMessage): Promise<void> {
  if (load.parkedAt === undefined && load.timeouts === 0) return;
  try {
    await hold(run.retryTimeoutSeconds * 1000 + SLOT_MARGIN_MILLIS + HELD_MARGIN_MILLIS);
  } catch (error) {
    log.warn('message not held', { run: run.id, error: String(error) });
  }
}

/** The clocks of workers and queues differ. */
const HELD_MARGIN_MILLIS = 1_000;

/** Makes the attempt and records its outcome: first the line of the log, then the run. */
async function postAndRecord(deps: DeliverDeps, post: Post, traceId: string | undefined): Promise<AttemptOutcome> {
  const { runs, now } = deps;
  const startedAt = now();
  const result = await deps.post({ ...post, at: startedAt });
  const endedAt = now();
  const authHeader = maskedAuthHeader(post.configuration.authentication);
  const signatures = post.secrets.signing.length;
  const record = attemptOf(post.run, result, { startedAt, endedAt, traceId, authHeader, signatures });
  const { token } = post.run.lease;
  const next = finish(post.run, token, attemptEnd(record), endedAt);
  // The recorded line decides the outcome: if the lease was lost, another worker has finished the run from it.
  if (!(await runs.addAttempt(post.run, record))) await runs.addLate(post.run, { ...record, isLate: true });
  else if (next) await runs.finish(next, token);
  deps.reportAttempt(post.run, record);
  return record.outcome === 'timeout' ? 'timed-out' : 'answered';
}

async function end({ runs, now }: DeliverDeps, run: Claimable, error: string): Promise<'unused'> {
  const ended = failed(run, error, now());
  if (ended) await runs.replace(ended);
  return 'unused';
}
