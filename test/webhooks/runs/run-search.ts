/**
 * Searches every order of events in the life of one run: workers that claim, post, log and finish, or put it off
 * because there is no room, messages that come twice or are lost, processes that die between any two steps, and a clock
 * that may move at any time. The steps themselves are the product's own.
 */

import { sweepDecision } from '../../../functions/webhooks/deliveries/sweep-decision.ts';
import type { EndedRun, Run } from '../../../functions/webhooks/runs/run.ts';
import * as machine from '../../../functions/webhooks/runs/run-machine.ts';
import { parked, unparked } from '../../../functions/webhooks/runs/run-machine.ts';

/** The product's own steps. */
export const STEPS = {
  claim: machine.claim,
  finish: machine.finish,
  sweepDecision,
  pendingDispatch: machine.pendingDispatch,
  parked,
  unparked,
  dueNow: machine.dueNow,
};

export interface Bounds {
  readonly maxAttempts: number;
  readonly retryIntervalSeconds: number;
  readonly workers: number;
  readonly crashes: number;
  /** Messages or stream records that come a second time. */
  readonly duplicates: number;
  /** Messages or stream records that are lost. */
  readonly losses: number;
  /** The number of times that no slot is free for the run. @default 0 */
  readonly parkings?: number;
  /** The number of times that a person has a waiting run retried at once. @default 0 */
  readonly retries?: number;
}

/** Parts of the product that a search can leave out, to show that it detects their absence. */
export interface Variant {
  readonly sweeper?: boolean;
  /** The worker that takes over looks for the line of the attempt in progress. */
  readonly looksForLine?: boolean;
  /** The line of a worker that was taken for lost does not count. */
  readonly marksLate?: boolean;
  readonly machine?: typeof STEPS;
  /** The search is over as soon as this is violated. */
  readonly until?: string;
}

export interface Finding {
  readonly states: number;
  readonly mostPosts: number;
  /** States from which no end can be reached any more. */
  readonly stuck: readonly State[];
  readonly violations: readonly { readonly what: string; readonly state: State }[];
}

/** The present moment is 0. */
interface State {
  readonly run: Run;
  /** The announcements of stream records, and messages. A message may be received early: its delay is ignored. */
  readonly stream: readonly Message[];
  readonly queue: readonly Message[];
  readonly workers: readonly Worker[];
  readonly crashes: number;
  readonly duplicates: number;
  readonly losses: number;
  readonly parkings: number;
  readonly retries: number;
  readonly posts: number;
  /** Parts of attempts that reached the endpoint and are not in the log yet. */
  readonly unlogged: readonly string[];
  /** Parts that the log calls interrupted: whether they reached the endpoint, or will, is unknown. */
  readonly interrupted: readonly string[];
  /** Parts whose outcome the log has and that count, and whether they succeeded. */
  readonly recorded: readonly (readonly [part: string, ok: boolean])[];
  /** A part was posted after one of the same attempt whose outcome was recorded. */
  readonly isRepeated: boolean;
  readonly isAccepted: boolean;
}

interface Message {
  readonly attempt: number;
}

type Worker =
  | { readonly at: 'received' | 'done'; readonly message: Message }
  | {
      readonly at: 'decided';
      readonly message: Message;
      readonly claim: machine.Claim;
      readonly revision: number;
    }
  | { readonly at: 'full'; readonly message: Message; readonly revision: number }
  | { readonly at: 'adopting'; readonly message: Message; readonly token: string; readonly ok: boolean }
  | {
      readonly at: 'claimed' | 'posted' | 'logged';
      readonly message: Message;
      readonly token: string;
      readonly ok?: boolean;
    };

const STATES_MAX = 3_000_000;

export function search(bounds: Bounds, variant: Variant = {}): Finding {
  const parts: Parts = {
    sweeper: true,
    looksForLine: true,
    marksLate: true,
    steps: variant.machine ?? STEPS,
    ...variant,
  };
  const first: State = {
    run: simple(
      machine.created({
        id: 'run',
        tenant: 't',
        eventId: 'e',
        ruleId: 'r',
        module: 'dsar',
        trigger: '',
        record: '',
        idempotencyKey: '',
        createdAt: 0,
        configurationId: 'c',
        configurationName: '',
        targetUrl: '',
        retryIntervalSeconds: bounds.retryIntervalSeconds,
        retryTimeoutSeconds: 30,
        maxAttempts: bounds.maxAttempts,
      }),
    ),
    stream: [{ attempt: 1 }],
    queue: [],
    workers: [],
    crashes: bounds.crashes,
    duplicates: bounds.duplicates,
    losses: bounds.losses,
    parkings: bounds.parkings ?? 0,
    retries: bounds.retries ?? 0,
    posts: 0,
    unlogged: [],
    interrupted: [],
    recorded: [],
    isRepeated: false,
    isAccepted: false,
  };

  const ids = new Map<string, number>();
  const states: State[] = [];
  const before: number[][] = [];
  const violations: { what: string; state: State }[] = [];
  const add = (reached: State): number => {
    const state = plain(reached);
    const key = keyOf(state);
    const visited = ids.get(key);
    if (visited !== undefined) return visited;
    const id = states.length;
    ids.set(key, id);
    states.push(state);
    before.push([]);
    for (const what of broken(state, bounds)) if (violations.length < 10) violations.push({ what, state });
    return id;
  };
  add(first);
  const isOver = () => violations.some(({ what }) => what === variant.until);
  for (let id = 0; id < states.length && !isOver(); id += 1) {
    if (states.length > STATES_MAX) throw new Error('The search does not end.');
    const state = states[id]!;
    for (const next of successors(state, bounds, parts)) {
      if (hasEnded(state.run) && !sameEnd(state.run, next.run))
        violations.push({ what: 'an end changed', state: next });
      before[add(next)]!.push(id);
    }
  }
  return {
    states: states.length,
    mostPosts: states.reduce((most, { posts }) => Math.max(most, posts), 0),
    stuck: stuckStates(states, before),
    violations,
  };
}

const hasEnded = (run: Run): run is EndedRun => run.status === 'COMPLETED' || run.status === 'FAILED';
const sameEnd = (a: Run, b: Run) => a.status === b.status && a.attempts === b.attempts;

function stuckStates(states: readonly State[], before: readonly (readonly number[])[]): State[] {
  const reaches = new Uint8Array(states.length);
  const work = states.flatMap(({ run }, id) => (hasEnded(run) ? [id] : []));
  for (const id of work) reaches[id] = 1;
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const previous of before[id]!) {
      if (reaches[previous]) continue;
      reaches[previous] = 1;
      work.push(previous);
    }
  }
  return states.filter((_, id) => !reaches[id]);
}

function* broken(state: State, { maxAttempts }: Bounds): Generator<string> {
  const { run, unlogged, interrupted, isAccepted, workers } = state;
  if (run.attempts > maxAttempts) yield 'more attempts than allowed';
  if (run.status === 'COMPLETED' && !isAccepted) yield 'completed without a success';
  if (hasEnded(run) && LEFT_TO_DO.some((member) => member in run)) yield 'something is left to do after the end';
  if (!hasEnded(run) && run.nextSweepAt === undefined) yield 'the sweeper will not look';
  if (!hasEnded(run) && 'completedAt' in run) yield 'it has an end that it has not reached';
  const isQuiet = hasEnded(run) && workers.length === 0;
  if (isQuiet && unlogged.some((part) => !interrupted.includes(part))) yield 'a POST is not in the log';
  if (isQuiet && run.status === 'FAILED' && state.recorded.some(([, ok]) => ok)) yield 'failed despite a success';
  if (state.isRepeated) yield 'it was posted again although the outcome was recorded';
  if (state.recorded.length > run.attempts) yield 'more outcomes count than there were attempts';
}

/** The members that only a run that has not ended has. */
const LEFT_TO_DO = [
  'lease',
  'nextSweepAt',
  'nextAttemptAt',
  'dispatchAttempt',
  'slotWaitSince',
  'isParked',
  'isRepeat',
];

type Steps = NonNullable<Variant['machine']>;
type Parts = Required<Omit<Variant, 'machine' | 'until'>> & { readonly steps: Steps };

function* successors(state: State, bounds: Bounds, parts: Parts): Generator<State> {
  const { sweeper, steps } = parts;
  yield* clock(state);
  yield* dispatcher(state);
  yield* receiving(state, bounds);
  for (const [index, worker] of state.workers.entries()) {
    yield* working(state, index, worker, parts);
    if (state.crashes > 0) yield* dying(state, index, worker);
  }
  if (sweeper) yield* sweeping(state, steps);
  yield* starting(state, steps);
  yield* retrying(state, steps);
}

/** The queue is a set. */
const plain = (state: State): State => ({
  ...state,
  stream: different(state.stream),
  queue: different(state.queue),
});

function different(messages: readonly Message[]): Message[] {
  const names = messages.map(nameOf);
  return messages.filter((message, index) => names.indexOf(nameOf(message)) === index);
}

const nameOf = ({ attempt }: Message) => String(attempt);

/**
 * A slot was returned, and the run is given it; `parking-search.ts` searches whether that happens. The worker that does
 * this may die before it sends the message.
 */
function* starting(state: State, steps: Steps): Generator<State> {
  const { run } = state;
  if (!('isParked' in run)) return;
  const started = { ...state, run: simple(steps.unparked(run, 0)) };
  yield sent(started, { attempt: machine.nextAttempt(run) });
  if (state.crashes > 0) yield { ...started, crashes: state.crashes - 1 };
}

/** A person has a run that waits retried at once. The write is refused if the run has changed, so it is one step. */
function* retrying(state: State, steps: Steps): Generator<State> {
  const due = state.retries > 0 ? steps.dueNow(state.run, 0) : undefined;
  if (due) yield { ...state, retries: state.retries - 1, run: simple(due), ...streamed(state, due) };
}

/** One of the times that lie ahead comes. Any of them may come first, so that no order of two times is assumed. */
function* clock(state: State): Generator<State> {
  const { run } = state;
  if ('lease' in run && run.lease.until > 0) yield { ...state, run: { ...run, lease: { ...run.lease, until: PAST } } };
  if ('nextAttemptAt' in run && run.nextAttemptAt > 0) yield { ...state, run: { ...run, nextAttemptAt: PAST } };
  if ('slotWaitSince' in run && run.slotWaitSince === 0) yield { ...state, run: { ...run, slotWaitSince: LONG_AGO } };
}

const LONG_AGO = -30 * 86_400_000;

const PAST = -1;
/** Every time ahead looks the same; the clock decides when it has come. */
const AHEAD = 1_000;
const report = (time: number) => (time > 0 ? AHEAD : PAST);

function simple(run: Run): Run {
  if ('lease' in run) return { ...run, lease: { ...run.lease, until: report(run.lease.until) } };
  return 'nextAttemptAt' in run ? { ...run, nextAttemptAt: report(run.nextAttemptAt) } : run;
}

function* dispatcher(state: State): Generator<State> {
  for (const [index, record] of state.stream.entries()) {
    const stream = state.stream.toSpliced(index, 1);
    yield sent({ ...state, stream }, record);
    if (state.losses > 0) yield { ...state, stream, losses: state.losses - 1 };
    if (state.duplicates > 0) yield sent({ ...state, duplicates: state.duplicates - 1 }, record);
  }
}

/** Duplicates of messages have a separate budget. */
const sent = (state: State, message: Message): State => ({ ...state, queue: [...state.queue, message] });

function* receiving(state: State, bounds: Bounds): Generator<State> {
  for (const [index, message] of state.queue.entries()) {
    const queue = state.queue.toSpliced(index, 1);
    if (state.losses > 0) yield { ...state, queue, losses: state.losses - 1 };
    if (state.workers.length >= bounds.workers) continue;
    const workers: Worker[] = [...state.workers, { at: 'received', message }];
    yield { ...state, queue, workers };
    if (state.duplicates > 0) yield { ...state, workers, duplicates: state.duplicates - 1 };
  }
}

function* working(state: State, index: number, worker: Worker, parts: Parts): Generator<State> {
  const { run } = state;
  const { steps } = parts;
  const goesOn: GoesOn = (next, changes = {}) => ({
    ...state,
    ...changes,
    workers: state.workers.with(index, next),
  });
  const { message } = worker;
  const done: Worker = { at: 'done', message };
  switch (worker.at) {
    case 'received':
      yield* received(state, { message, parts, goesOn });
      return;
    case 'full': {
      const parked = worker.revision === run.revision ? steps.parked(run, 0) : undefined;
      yield goesOn(done, parked && { run: simple(parked) });
      return;
    }
    case 'adopting': {
      const next = steps.finish(run, worker.token, { succeeded: worker.ok }, 0);
      yield goesOn(done, next && { run: simple(next), ...streamed(state, next) });
      return;
    }
    case 'decided': {
      const { claim, revision } = worker;
      if (!('run' in claim) || revision !== run.revision) yield goesOn(done);
      else {
        const next: Worker = claim.kind === 'attempt' ? { at: 'claimed', message, token: claim.run.lease.token } : done;
        yield goesOn(next, { run: simple(claim.run), ...streamed(state, claim.run) });
      }
      return;
    }
    case 'done':
      yield { ...state, workers: state.workers.toSpliced(index, 1) };
      return;
    default:
      yield* attempting(state, worker, { parts, goesOn });
  }
}

/** The POST, its line and the end of the attempt. */
function* attempting(
  state: State,
  worker: Extract<Worker, { at: 'claimed' | 'posted' | 'logged' }>,
  { parts: { steps, marksLate }, goesOn }: { parts: Parts; goesOn: GoesOn },
): Generator<State> {
  const { run } = state;
  const done: Worker = { at: 'done', message: worker.message };
  switch (worker.at) {
    case 'claimed': {
      const unlogged = unique([...state.unlogged, worker.token]);
      for (const ok of [true, false]) {
        const isAccepted = ok || state.isAccepted;
        const isRepeated = state.isRepeated || state.recorded.some(([part]) => isEarlierPart(part, worker.token));
        yield goesOn({ ...worker, at: 'posted', ok }, { posts: state.posts + 1, unlogged, isAccepted, isRepeated });
      }
      return;
    }
    case 'posted': {
      const unlogged = without(state.unlogged, worker.token);
      // Taken for lost: its line is late.
      if (marksLate && state.interrupted.includes(worker.token)) yield goesOn(done, { unlogged });
      else {
        const recorded = [...state.recorded, [worker.token, worker.ok ?? false] as const];
        yield goesOn({ ...worker, at: 'logged' }, { unlogged, recorded });
      }
      return;
    }
    case 'logged': {
      const next = steps.finish(run, worker.token, { succeeded: worker.ok ?? false }, 0);
      yield goesOn(done, next && { run: simple(next), ...streamed(state, next) });
      return;
    }
  }
}

type GoesOn = (next: Worker, changes?: Partial<State>) => State;

function* received(
  state: State,
  { message, parts: { steps, looksForLine }, goesOn }: { message: Message; parts: Parts; goesOn: GoesOn },
): Generator<State> {
  const { run } = state;
  const { attempt } = message;
  const isNext = 'lease' in run || ('isRepeat' in run && run.isRepeat);
  const part = isNext ? run.interruptions + ('lease' in run ? 1 : 0) : 0;
  const claim = steps.claim(run, attempt, { now: 0, token: `${attempt}.${part}` });
  if (claim.kind === 'drop' || claim.kind === 'parked') {
    yield goesOn({ at: 'done', message });
    return;
  }
  if (claim.kind === 'send') {
    yield sent(goesOn({ at: 'done', message }), { attempt: claim.attempt });
    return;
  }
  const lost =
    'interrupted' in claim && claim.interrupted ? `${claim.interrupted.attempt}.${claim.interrupted.part}` : '';
  const line = looksForLine ? state.recorded.find(([recorded]) => recorded === lost) : undefined;
  if (line) {
    yield goesOn({ at: 'adopting', message, token: lost, ok: line[1] });
    return;
  }
  const interrupted = lost ? unique([...state.interrupted, lost]) : state.interrupted;
  yield goesOn({ at: 'decided', message, claim, revision: run.revision }, { interrupted });
  if (claim.kind === 'attempt' && state.parkings > 0) {
    yield goesOn({ at: 'full', message, revision: run.revision }, { interrupted, parkings: state.parkings - 1 });
  }
}

const isEarlierPart = (part: string, of: string) => {
  const [attempt, number] = part.split('.').map(Number);
  const [ofAttempt, ofNumber] = of.split('.').map(Number);
  return attempt === ofAttempt && (number ?? 0) < (ofNumber ?? 0);
};

const streamed = (state: State, run: Run): Partial<State> =>
  !('dispatchAttempt' in run) || run.dispatchAttempt === undefined
    ? {}
    : { stream: [...state.stream, { attempt: run.dispatchAttempt }] };

/** A worker that dies leaves its message in the queue, or loses it when it was received too often. */
function* dying(state: State, index: number, worker: Worker): Generator<State> {
  const dead = { ...state, crashes: state.crashes - 1, workers: state.workers.toSpliced(index, 1) };
  yield dead;
  yield sent(dead, worker.message);
}

/**
 * The sweep may happen at any moment, since nothing may depend on its time. Its records only change the time of the
 * next sweep.
 */
function* sweeping(state: State, steps: Steps): Generator<State> {
  const decision = steps.sweepDecision(state.run, 0);
  if (decision.kind === 'send') yield sent(state, { attempt: decision.attempt });
}

const without = (parts: readonly string[], logged: string) => parts.filter((part) => part !== logged);

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** The relevant parts of a state, with its collections in a fixed order. */
function keyOf({ run, stream, queue, workers, ...rest }: State): string {
  const { status, attempts, interruptions, revision } = run;
  const lease = 'lease' in run ? run.lease : undefined;
  const pending = 'nextAttemptAt' in run ? [run.nextAttemptAt, run.isRepeat, run.slotWaitSince, 'isParked' in run] : [];
  const states = workers.map((worker) => {
    const name = `${worker.at} ${nameOf(worker.message)}`;
    if (worker.at === 'decided') return `${name} ${worker.claim.kind} ${worker.revision === revision}`;
    if (worker.at === 'full') return `${name} ${worker.revision === revision}`;
    return 'token' in worker ? `${name} ${worker.token} ${worker.ok}` : name;
  });
  return JSON.stringify([
    [status, attempts, interruptions, lease, pending],
    stream.map(nameOf).sort(),
    queue.map(nameOf).sort(),
    states.sort(),
    [rest.crashes, rest.duplicates, rest.losses, rest.parkings, rest.retries, rest.posts, rest.isAccepted],
    rest.unlogged.filter((part) => !rest.interrupted.includes(part)).sort(),
    rest.interrupted.toSorted(),
    rest.recorded.map(String).sort(),
  ]);
}
