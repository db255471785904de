/**
 * Searches every order in which the calls of several workers reach the table, the queue and the endpoint, for runs of
 * one configuration with fewer slots than runs: workers that deliver, that die between any two calls, a sweeper, time
 * that passes, and an index that follows late. The code that is searched is the product's own, from the message to the
 * last call; what stands here is only what a call does, at once.
 *
 * A worker's code is deterministic, so where it stands is told by the answers that it got: two orders that lead to the
 * same world and the same answers are one state.
 */
import { createHash } from 'node:crypto';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import { type DeliverDeps, deliverRun } from '../../../functions/webhooks/deliveries/deliver-run.ts';
import { sweepParked } from '../../../functions/webhooks/deliveries/start-parked.ts';
import { sweepRuns } from '../../../functions/webhooks/deliveries/sweep-runs.ts';
import { hasEnded, isParked, type Run } from '../../../functions/webhooks/runs/run.ts';
import { created, dueAt } from '../../../functions/webhooks/runs/run-machine.ts';
import { isInUse, type SlotLimits } from '../../../functions/webhooks/slots/admission.ts';
import { follow, type Message, memoryWebhooks, type World } from '../../support/webhooks/memory-webhooks.ts';

export interface Scenario {
  readonly runs: number;
  readonly limits: SlotLimits;
  /** Workers at the same time. */
  readonly workers: number;
  /** Workers that die. @default 0 */
  readonly crashes?: number;
  /** Leaps of time by which leases and slots run out. @default 0 */
  readonly leaps?: number;
  /** True if the index of parked runs may follow late. @default false */
  readonly hasLag?: boolean;
  /** True if attempts time out. @default false: they succeed */
  readonly isSilent?: boolean;
  /** @default 1 */
  readonly maxAttempts?: number;
  /** True if workers go on with runs that they start. @default false: they send them */
  readonly goesOn?: boolean;
}

/** The faulty parts with which the search replaces parts of the product, to prove that it notices them. */
export type Fault = (parts: Parts, world: World) => Partial<Parts>;
type Parts = ReturnType<typeof memoryWebhooks>;

export interface Finding {
  readonly states: number;
  readonly ends: number;
  /** A violation, with the calls that led to it and their answers. */
  readonly violations: readonly { readonly what: string; readonly calls: readonly string[] }[];
}

const START = 1_000_000_000_000;
const LEAP_MILLIS = 60_000;
const POST_MILLIS = 1_000;
const STATES_MAX = 3_000_000;

interface Call {
  readonly name: string;
  readonly make: () => Promise<unknown>;
  readonly answer: (value: unknown) => void;
}

interface Worker {
  readonly message: Message | undefined;
  readonly answers: string[];
  pending: Call | undefined;
  isDone: boolean;
  isPosting: boolean;
}

/** @param until what is looked for: the search is over as soon as this is violated, or three of others. */
export async function search(scenario: Scenario, fault: Fault = () => ({}), until?: string): Promise<Finding> {
  const recorded = new Set<string>();
  const violations: { what: string; choices: readonly string[] }[] = [];
  /** Choices, and what was answered to each: to tell it anew every time would take a third of the search. */
  const open: { choices: readonly string[]; told: readonly string[] }[] = [{ choices: [], told: [] }];
  let ends = 0;
  const isOver = () => violations.length >= 3 || violations.some(({ what }) => what === until);
  for (let next = open.pop(); next && !isOver(); next = open.pop()) {
    const execution = new Execution(scenario, fault);
    const choices = [...next.choices];
    const reports = [...next.told];
    for (const [n, choice] of choices.entries()) {
      await execution.take(choice, reports[n]);
      reports[n] = execution.last;
    }
    // On from there, as far as it is new.
    for (;;) {
      const key = execution.key();
      if (recorded.has(key)) break;
      recorded.add(key);
      if (recorded.size > STATES_MAX) throw new Error('The search does not end.');
      for (const what of execution.violations()) violations.push({ what, choices: [...choices] });
      const [first, ...others] = execution.choices();
      if (first === undefined) {
        ends += 1;
        for (const what of await execution.stuck()) violations.push({ what, choices: [...choices] });
        break;
      }
      for (const other of others) open.push({ choices: [...choices, other], told: [...reports] });
      choices.push(first);
      await execution.take(first);
      reports.push(execution.last);
    }
  }
  const reports = await Promise.all(
    violations.map(async ({ what, choices }) => ({ what, calls: await callsOf(scenario, choices, fault) })),
  );
  return { states: recorded.size, ends, violations: reports };
}

async function callsOf(scenario: Scenario, choices: readonly string[], fault: Fault): Promise<string[]> {
  const execution = new Execution(scenario, fault);
  const lines: string[] = [];
  for (const choice of choices) {
    await execution.take(choice);
    lines.push(`${choice}: ${execution.last}`);
  }
  return lines;
}

class Execution {
  private readonly scenario: Scenario;
  private readonly world: World;
  private readonly parts: Parts;
  private readonly workers: Worker[] = [];
  private crashes: number;
  private leaps: number;
  private sweeps = 0;
  private clock = 0;
  /** The call that was made last, and its answer. */
  last = '';
  private wasDisturbed = false;
  /** The numbers of the choices at which runs were parked, and at which they got a slot. */
  private readonly parkedAt = new Map<string, number>();
  private readonly begunAt = new Map<string, number>();
  private readonly faults: string[] = [];
  private readonly posted = new Set<string>();

  constructor(scenario: Scenario, fault: Fault) {
    this.scenario = scenario;
    this.crashes = scenario.crashes ?? 0;
    this.leaps = scenario.leaps ?? 0;
    this.world = {
      now: START,
      runs: new Map(),
      lines: new Map(),
      load: { slots: new Map(), timeouts: 0, isSilent: false },
      messages: [],
      indexed: [],
      hasLag: scenario.hasLag ?? false,
    };
    const parts = memoryWebhooks(this.world, scenario.limits);
    this.parts = { ...parts, ...fault(parts, this.world) };
    for (let n = 0; n < scenario.runs; n += 1) {
      const run = newRun(n, scenario.maxAttempts ?? 1);
      this.world.runs.set(run.id, run);
      const ticket = { tenant: 'acme', run: run.id, attempt: 1, configuration: 'cfg' };
      this.world.messages.push({ lane: 'fast', ticket });
    }
  }

  /** The choices in this state, each by its name. */
  choices(): string[] {
    const active = this.workers.flatMap((worker, n) => (worker.isDone ? [] : [n]));
    const choices = active.map((n) => `on ${n}`);
    if (this.crashes > 0) choices.push(...active.map((n) => `dies ${n}`));
    if (active.length < this.scenario.workers) {
      choices.push(...unique(this.world.messages.map((message) => `receive ${nameOf(message)}`)));
    }
    if (this.scenario.hasLag && JSON.stringify(followed(this.world)) !== JSON.stringify(this.world.indexed)) {
      choices.push('index');
    }
    if (this.leaps > 0 && (this.wasDisturbed || active.length > 0)) choices.push('leap');
    return choices;
  }

  /** @param told what the call answers, where it is known */
  async take(choice: string, told?: string): Promise<void> {
    const [what, ...rest] = choice.split(' ');
    this.clock += 1;
    if (what === 'on') await this.goOn(Number(rest[0]), told);
    else if (what === 'dies') this.die(Number(rest[0]));
    else if (what === 'receive') await this.receive(rest.join(' '));
    else if (what === 'index') follow(this.world);
    else {
      this.leaps -= 1;
      this.wasDisturbed = true;
      this.world.now += LEAP_MILLIS;
      await this.sweep();
    }
  }

  /** The violations in this state. */
  violations(): string[] {
    const posting = this.workers.filter(({ isPosting, isDone }) => isPosting && !isDone).length;
    if (!this.wasDisturbed && posting > this.scenario.limits.all) this.faults.push('more POSTs at a time than slots');
    for (const run of this.world.runs.values()) {
      const lines = [...this.world.lines].filter(([name]) => name.startsWith(`${run.id} `)).map(([, line]) => line);
      const counting = lines.filter(({ outcome, isLate }) => outcome !== 'interrupted' && !isLate);
      if (counting.length > run.attempts) this.faults.push('more outcomes count than there were attempts');
      if (run.status === 'COMPLETED' && counting.every(({ outcome }) => outcome !== 'succeeded')) {
        this.faults.push('completed without a success');
      }
    }
    return this.faults.splice(0);
  }

  /**
   * Nobody works and no message is there: then all runs have ended. After a death, or where the index was late, the
   * sweeper comes, and after two more of its minutes they have.
   */
  async stuck(): Promise<string[]> {
    const open = () => [...this.world.runs.values()].filter((run) => !hasEnded(run));
    if (open().length === 0)
      return isInUse(this.world.load, this.world.now + 1) && !this.wasDisturbed ? ['a slot is left over'] : [];
    const minutes = this.wasDisturbed || this.scenario.hasLag ? 4 : 0;
    for (let minute = 0; minute < minutes && open().length > 0; minute += 1) {
      this.world.now += LEAP_MILLIS;
      follow(this.world);
      await this.sweep();
      for (let steps = 0; steps < 500 && this.choices().length > 0; steps += 1) {
        const [next] = this.choices().filter((choice) => !choice.startsWith('dies') && choice !== 'leap');
        if (next === undefined) break;
        await this.take(next);
      }
    }
    return [...open().map((run) => `${isParked(run) ? 'a parked run' : 'a run'} waits forever`), ...this.violations()];
  }

  key(): string {
    const { now, runs, lines, load, messages, indexed } = this.world;
    const workers = this.workers
      .filter(({ isDone }) => !isDone)
      .map(({ message, answers, pending }) => [message && nameOf(message), answers, pending?.name].join())
      .sort();
    const state = JSON.stringify([
      now,
      [...runs.values()],
      [...lines],
      [[...load.slots].map(String).sort(), load.timeouts, load.isSilent, load.parkedAt],
      messages.map(nameOf).sort(),
      indexed,
      workers,
      [this.crashes, this.leaps, this.wasDisturbed],
    ]);
    return createHash('sha256').update(state).digest('base64');
  }

  private async receive(name: string): Promise<void> {
    const at = this.world.messages.findIndex((message) => nameOf(message) === name);
    const [message] = this.world.messages.splice(at, 1);
    if (message) await this.begin(message, (deps) => deliver(deps, message));
  }

  private async sweep(): Promise<void> {
    this.sweeps += 1;
    const { dueRuns, send } = this.parts;
    // At one go: what the sweeper does between calls of workers is searched with its own deaths elsewhere.
    const worker = { now: () => this.world.now };
    await sweepRuns({
      runs: dueRuns,
      startParked: (key) =>
        sweepParked({ ...this.parts, limits: this.scenario.limits, deliveringFrom: always, ...worker }, key),
      queued: async () => ({ all: this.world.messages.length, waiting: 0 }),
      sendAll: async (all) => {
        for (const { lane, ticket } of all) await send(lane, ticket);
        return [];
      },
      deliveringFrom: always,
      now: worker.now,
      until: Number.POSITIVE_INFINITY,
    });
  }

  private async begin(message: Message, work: (deps: DeliverDeps) => Promise<void>): Promise<void> {
    const worker: Worker = { message, answers: [], pending: undefined, isDone: false, isPosting: false };
    this.workers.push(worker);
    void work(this.depsOf(worker)).then(
      () => (worker.isDone = true),
      (error: unknown) => {
        worker.isDone = true;
        this.faults.push(`a worker fails: ${String(error)}`);
      },
    );
    await settled();
  }

  private async goOn(number: number, told?: string): Promise<void> {
    const worker = this.workers[number]!;
    const call = worker.pending;
    worker.pending = undefined;
    if (!call) throw new Error('It has nothing to do.');
    const value = await call.make();
    this.last = told ?? `${call.name} = ${JSON.stringify(value, withMaps)}`;
    worker.answers.push(this.last);
    call.answer(value);
    await settled();
  }

  /** Its message comes again, at once or much later. */
  private die(number: number): void {
    const worker = this.workers[number]!;
    worker.isDone = true;
    this.crashes -= 1;
    this.wasDisturbed = true;
    if (worker.message) this.world.messages.push(worker.message);
  }

  /** The product's dependencies, each of whose calls waits until it is chosen. */
  private depsOf(worker: Worker): DeliverDeps {
    const { message } = worker;
    // The same in all orders in which its message came.
    const before = this.workers.filter(
      (other) => other !== worker && other.message && message && nameOf(other.message) === nameOf(message),
    );
    const name = `${message ? nameOf(message) : ''}#${before.length}`;
    const { runs, parkedRuns, admission, send } = this.parts;
    const called = <T>(name: string, make: () => Promise<T>): Promise<T> =>
      new Promise((resolve) => {
        worker.pending = { name, make, answer: (value) => resolve(value as T) };
      });
    const calling = <Api extends object>(api: Api, own: readonly string[] = []): Api =>
      new Proxy(api, {
        get: (of, name: string) => {
          const method = Reflect.get(of, name) as (...args: unknown[]) => Promise<unknown>;
          return own.includes(name) ? method : (...args: unknown[]) => called(name, () => method(...args));
        },
      });
    let tokens = 0;
    const watched = calling(runs, ['payload', 'addAttempt', 'addLate']);
    return {
      deliveringFrom: always,
      runs: {
        ...named(watched, [
          'byId',
          'payload',
          'create',
          'createReplay',
          'finish',
          'addAttempt',
          'addLate',
          'addInterrupted',
        ]),
        replace: async (run) => {
          const done = await watched.replace(run);
          if (done && isParked(run)) this.parkedAt.set(run.id, this.clock);
          return done;
        },
      },
      parkedRuns: {
        ...named(calling(parkedRuns), ['first']),
        unpark: async (key, now) => {
          const run = await called('unpark', () => parkedRuns.unpark(key, now));
          if (run) this.begunAt.set(run.id, this.clock);
          return run;
        },
      },
      admission: {
        ...named(calling(admission), ['leave', 'load', 'reserve', 'noteParking', 'forgetParking']),
        enter: async (run, lease) => {
          const entered = await called('enter', () => admission.enter(run, lease));
          if (entered.kind === 'entered' && !lease.reserved) this.begunAt.set((run as Run).id, this.clock);
          return entered;
        },
      },
      limits: this.scenario.limits,
      configurations: { byId: async () => CONFIGURATION },
      secretsOf: async () => ({ signing: [] }),
      send: (lane, ticket) => called('send', () => send(lane, ticket)),
      post: async ({ run }) => {
        const part = `${run.id} ${run.attempts}.${run.interruptions}`;
        if (this.posted.has(part)) this.faults.push('a part is posted twice');
        this.posted.add(part);
        this.watchOrder(run);
        worker.isPosting = true;
        await called('post', async () => undefined);
        worker.isPosting = false;
        const timings = { totalMillis: POST_MILLIS };
        if (this.scenario.isSilent) return { kind: 'not-answered', failure: 'timeout', timings };
        return { kind: 'answered', statusCode: 200, body: { bytes: new Uint8Array(), isTruncated: false }, timings };
      },
      continueForMillis: this.scenario.goesOn ? LEAP_MILLIS : 0,
      reportAttempt: () => undefined,
      now: () => this.world.now,
      newToken: () => `${name}.${(tokens += 1)}`,
    };
  }

  /** A run that was parked is not overtaken by one that was due later and came when it was parked. */
  private watchOrder(run: Run): void {
    if (this.wasDisturbed || this.scenario.hasLag || hasEnded(run)) return;
    const begun = this.begunAt.get(run.id) ?? 0;
    for (const other of this.world.runs.values()) {
      if (!isParked(other) || dueAt(other) >= run.createdAt) continue;
      if ((this.parkedAt.get(other.id) ?? 0) < begun) this.faults.push('a parked run is overtaken');
    }
  }
}

const named = <Api extends object, Name extends keyof Api>(api: Api, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, api[name]])) as Pick<Api, Name>;

/** Nothing is paused. */
const always = async () => 0;

const deliver = (deps: DeliverDeps, { lane, ticket }: Message) =>
  deliverRun(deps, ticket, { lane, remainingMillis: () => 140_000, hold: async () => undefined });

/** Waits until every worker waits for a call or is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const nameOf = ({ lane, ticket }: Message) =>
  `${lane} ${ticket.run} ${ticket.attempt} ${ticket.slot ? `${ticket.slot.number}@${ticket.slot.until}` : ''}${ticket.isWake ? 'wake' : ''}`;
const unique = (values: readonly string[]) => [...new Set(values)];
const withMaps = (_key: string, value: unknown) => (value instanceof Map ? [...value] : value);

function followed(world: World) {
  const copy = { ...world };
  follow(copy);
  return copy.indexed;
}

const CONFIGURATION: Configuration = {
  id: 'cfg',
  tenant: 'acme',
  name: 'cfg',
  targetUrl: 'https://example.com/',
  retryIntervalSeconds: 0,
  retryTimeoutSeconds: 1,
  maxAttempts: 1,
  description: '',
  authentication: { type: 'none' },
  enabled: true,
  createdAt: '',
  updatedAt: '',
};

const newRun = (n: number, maxAttempts: number) =>
  created({
    id: `run${n}`,
    tenant: 'acme',
    eventId: 'event',
    ruleId: 'rule',
    module: 'dsar',
    trigger: 'DSAR starts',
    record: '',
    idempotencyKey: `key${n}`,
    createdAt: START - 100 + n,
    configurationId: 'cfg',
    configurationName: 'cfg',
    targetUrl: 'https://example.com/',
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 1,
    maxAttempts,
  });
