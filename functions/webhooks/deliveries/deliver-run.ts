import type { Configuration, Configurations } from '../configurations/configuration.ts';
import { type Attempt, attemptOf, endOf, interruptedAttempt } from '../runs/attempt.ts';
import { hasEnded, type LeasedRun, type Payload, type Run } from '../runs/run.ts';
import { type Claim, claim, deferred, failed, finish } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';
import { maskedAuthHeader } from '../sending/request-headers.ts';
import type { SendResult } from '../sending/sending.ts';
import { type Admission, deferralMillis, type HowItWent, type Refused } from './admission.ts';
import { type Lane, laneOf, type Ticket, ticketOf } from './ticket.ts';

export interface DeliverDeps {
  readonly runs: Runs;
  readonly configurations: Pick<Configurations, 'byId'>;
  readonly admission: Admission;
  /** The secret of a configuration in clear, if it has one; undefined if it can no longer be decrypted. */
  readonly secretOf: (configuration: Configuration) => Promise<{ readonly secret?: string } | undefined>;
  readonly post: (post: Post) => Promise<SendResult>;
  readonly send: (lane: Lane, ticket: Ticket, delayMillis: number) => Promise<void>;
  /** Reports every attempt that was made, or that was lost for good. */
  readonly tell: (run: Run, attempt: Attempt) => void;
  readonly now: () => number;
  readonly newToken: () => string;
  /** From 0 to 1. */
  readonly chance: () => number;
}

export interface Post {
  readonly run: LeasedRun;
  readonly payload: Payload;
  readonly configuration: Configuration;
  readonly secret: string | undefined;
}

/** The time for all writes after an attempt. */
const WRITING_MILLIS = 8_000;

/** Waits of this length and more are written into the run, so that the sweeper does not send what is only put off. */
const LONG_DEFERRAL_MILLIS = 15_000;

/**
 * Does what a message asks for, if it is still to be done. The message may come any number of times, late, early or out
 * of order. A failing endpoint is an outcome; only a failure of our own infrastructure throws, and then the message
 * comes again.
 */
export async function deliverRun(
  deps: DeliverDeps,
  ticket: Ticket,
  at: { lane: Lane; remainingMillis: () => number; traceId?: string | undefined },
): Promise<void> {
  const { runs, send, now } = deps;
  const key = { tenant: ticket.tenant, id: ticket.run };
  const configurationKey = { tenant: ticket.tenant, configurationId: ticket.configuration };
  const refused = deps.admission.refusal(configurationKey, now());
  // Under a long backlog most messages end here, without a read or a write.
  if (refused && !isNoted(ticket.deferrals)) {
    const { deferrals = 0 } = ticket;
    const delayMillis = deferralMillis(refused, { now: now(), deferrals, chance: deps.chance() });
    if (delayMillis < LONG_DEFERRAL_MILLIS) {
      return sendLater(deps, ticket, { lane: laneAfter(refused, at.lane), delayMillis });
    }
  }
  const run = await runs.byId(key);
  if (!run) return;
  const step = claim(run, ticket.attempt, { now: now(), token: deps.newToken(), revision: ticket.revision });
  if (step.kind === 'drop') return;
  if (step.kind === 'send') {
    const lane = step.attempt === ticket.attempt ? at.lane : laneOf(step);
    await send(lane, ticketOf(run, step.attempt), step.delayMillis);
    return;
  }
  if (step.kind === 'give-up') return giveUp(deps, run, step);
  await inSlot(deps, { run, ticket, lane: at.lane }, async () => {
    const [payload, configuration] = await Promise.all([
      runs.payload(key),
      deps.configurations.byId({ tenant: run.tenant, id: run.configurationId }),
    ]);
    // An empty body was too large to be kept.
    if (!payload?.body.length || !configuration) {
      await end(deps, { run, step }, configuration ? 'payload_missing' : 'config_missing');
      return 'unused';
    }
    const opened = await deps.secretOf(configuration);
    if (!opened) {
      await end(deps, { run, step }, 'secret_unreadable');
      return 'unused';
    }
    // After a slow start the time must not run out in the middle of a POST.
    if (at.remainingMillis() < run.retryTimeoutSeconds * 1000 + WRITING_MILLIS) {
      await send(at.lane, ticket, 0);
      return 'unused';
    }
    // Time has passed since the first look.
    const again = claim(run, ticket.attempt, { now: now(), token: deps.newToken() });
    if (again.kind !== 'attempt') return 'unused';
    if (again.interrupted) await runs.addInterrupted(run, interruptedAttempt(again.interrupted, now()));
    if (!(await runs.replace(again.run))) return 'unused';
    return attempt(deps, { run: again.run, payload, configuration, secret: opened.secret }, at.traceId);
  });
}

/** Makes the attempt and records how it went: its line in the log first, then the run. */
async function attempt(deps: DeliverDeps, post: Post, traceId: string | undefined): Promise<HowItWent> {
  const { runs, now } = deps;
  const startedAt = now();
  const result = await deps.post(post);
  const endedAt = now();
  const made = attemptOf(post.run, result, {
    startedAt,
    traceId,
    authHeader: maskedAuthHeader(post.configuration.authentication),
  });
  await runs.addAttempt(post.run, made);
  const { token } = post.run.lease;
  const next = finish(post.run, token, endOf(made), endedAt);
  if (!next || !(await runs.finish(next, token))) await runs.addAttempt(post.run, { ...made, isLate: true });
  deps.tell(post.run, made);
  return made.outcome === 'timeout' ? 'timed-out' : 'answered';
}

interface Waiting {
  readonly run: Run;
  readonly ticket: Ticket;
  readonly lane: Lane;
}

async function inSlot(deps: DeliverDeps, waiting: Waiting, work: () => Promise<HowItWent>): Promise<void> {
  const { admission, now } = deps;
  const { run, ticket, lane } = waiting;
  const from = now();
  const until = from + run.retryTimeoutSeconds * 1000 + SLOT_MARGIN_MILLIS;
  const entered = await admission.enter(run, { now: from, until });
  if (entered.kind !== 'entered') return putOff(deps, waiting, entered);
  let how: HowItWent = 'unused';
  try {
    // A probe is made here: in the other lane it would find the pause that it has itself extended.
    if (lane === 'fast' && entered.load.timeouts > 0 && !entered.isProbe) await deps.send('slow', ticket, 0);
    else how = await work();
  } finally {
    await admission.leave(run, entered, how, now());
  }
}

/** As long as the lease of the run: both end when a worker has died. */
const SLOT_MARGIN_MILLIS = 15_000;

/** Short waits are recorded now and then, or the sweeper would take the run for lost. */
const NOTED_EVERY = 4;
const isNoted = (deferrals = 0) => (deferrals + 1) % NOTED_EVERY === 0;

async function putOff(deps: DeliverDeps, { run, ticket, lane }: Waiting, refused: Refused): Promise<void> {
  const at = deps.now();
  const { deferrals = run.deferrals } = ticket;
  const delayMillis = deferralMillis(refused, { now: at, deferrals, chance: deps.chance() });
  if (delayMillis >= LONG_DEFERRAL_MILLIS || isNoted(deferrals)) {
    const later = deferred({ ...run, deferrals }, at + delayMillis, at);
    // Another message may have moved the run on, or it has waited for days and ends: then there is nothing to send.
    if (later) {
      const isWaiting = (await deps.runs.replace(later)) && !hasEnded(later);
      if (isWaiting) await deps.send(laneAfter(refused, lane), ticketOf(later, ticket.attempt), delayMillis);
      return;
    }
  }
  await sendLater(deps, { ...ticket, deferrals }, { lane: laneAfter(refused, lane), delayMillis });
}

/** Runs that wait for an endpoint that does not answer come back in the slow lane, out of the way of the others. */
const laneAfter = (refused: Refused, lane: Lane): Lane =>
  refused.kind === 'paused' || refused.hasTimedOut ? 'slow' : lane;

const sendLater = (
  { send }: DeliverDeps,
  ticket: Ticket,
  { lane, delayMillis }: { lane: Lane; delayMillis: number },
): Promise<void> => send(lane, { ...ticket, deferrals: (ticket.deferrals ?? 0) + 1 }, delayMillis);

async function end({ runs, now }: DeliverDeps, { run, step }: { run: Run; step: Claim }, error: string): Promise<void> {
  const ended = failed(run, error, now());
  if ('interrupted' in step && step.interrupted) {
    await runs.addInterrupted(run, interruptedAttempt(step.interrupted, now()));
  }
  if (ended) await runs.replace(ended);
}

async function giveUp(
  { runs, now, tell }: DeliverDeps,
  run: Run,
  { run: next, interrupted }: Extract<Claim, { kind: 'give-up' }>,
): Promise<void> {
  const lost = interruptedAttempt(interrupted, now());
  await runs.addInterrupted(run, lost);
  if (await runs.replace(next)) tell(run, lost);
}
