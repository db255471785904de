import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { OneQueue } from './one-queue.ts';

const MINUTE = 60_000;

interface ModelMessage {
  readonly body: string;
  readonly group: string;
  readonly order: number;
  visibleAt: number;
  receipt?: string;
}

/** From when to when a message of a group was in flight; the end may lie ahead. */
interface Hold {
  readonly group: string;
  readonly order: number;
  readonly from: number;
  until: number;
}

/** AWS's rule as plainly as it can be said: nothing is counted ahead, the whole history is looked at every time. */
class Model {
  readonly messages: ModelMessage[] = [];
  readonly holds: Hold[] = [];
  readonly sentAt = new Map<string, number>();
  /** A group begins anew when it has no message left. */
  readonly begins = new Map<string, number>();
  sent = 0;
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  send(body: string, groupId: string | undefined, delaySeconds: number) {
    const group = groupId ?? `only ${body}`;
    if (!this.messages.some((message) => message.group === group)) this.begins.set(group, this.holds.length);
    this.sentAt.set(group, this.now);
    this.messages.push({ body, group, order: this.sent++, visibleAt: this.now + delaySeconds * 1000 });
  }

  hold(message: ModelMessage, receipt: string, seconds: number) {
    const until = this.now + seconds * 1000;
    Object.assign(message, { receipt, visibleAt: until });
    this.holds.push({ group: message.group, order: message.order, from: this.now, until });
  }

  /** @param until when its message is visible again; when it is deleted, now */
  endHold({ order }: ModelMessage, until: number) {
    const hold = this.holds.findLast((other) => other.order === order);
    if (hold && hold.until > this.now) hold.until = until;
  }

  private figures(holds: readonly Hold[]) {
    const weight = (at: number) => Math.exp(-(this.now - Math.min(at, this.now)) / MINUTE);
    const average = holds.reduce((sum, { from, until }) => sum + weight(until) - weight(from), 0);
    return { average, inFlight: holds.filter(({ until }) => until > this.now).length };
  }

  /** Undefined where rounding decides. */
  private isNoisy(group: string): boolean | undefined {
    if (this.now - (this.sentAt.get(group) ?? 0) >= 5 * MINUTE) return false;
    const all = this.figures(this.holds);
    const own = this.figures(this.holds.slice(this.begins.get(group)).filter((hold) => hold.group === group));
    if (own.inFlight >= 30 && own.inFlight * 10 > all.inFlight) return true;
    if (Math.abs(own.average - 1) < 1e-9 || Math.abs(own.average * 10 - all.average) < 1e-9) return undefined;
    return own.average > 1 && own.average * 10 > all.average;
  }

  /** The messages that are to be received next; undefined where rounding decides. */
  next(count: number): ModelMessage[] | undefined {
    const load = new Map<string, number>();
    const available = this.messages.filter(({ visibleAt }) => visibleAt <= this.now);
    for (const group of new Set(available.map((message) => message.group))) {
      const noisy = this.isNoisy(group);
      if (noisy === undefined) return undefined;
      const inFlight = this.holds.filter((hold) => hold.group === group && hold.until > this.now).length;
      if (noisy) load.set(group, inFlight);
    }
    const chosen: ModelMessage[] = [];
    while (chosen.length < count && available.length > 0) {
      const loadOf = ({ group }: ModelMessage) => load.get(group) ?? -1;
      available.sort((a, b) => loadOf(a) - loadOf(b) || a.visibleAt - b.visibleAt || a.order - b.order);
      const [next] = available.splice(0, 1);
      if (!next) break;
      const before = load.get(next.group);
      if (before !== undefined) load.set(next.group, before + 1);
      chosen.push(next);
    }
    return chosen;
  }
}

type Step =
  | { readonly kind: 'send'; readonly count: number; readonly group: string | undefined; readonly delaySeconds: number }
  | { readonly kind: 'receive'; readonly times: number; readonly visibilitySeconds: number }
  | { readonly kind: 'delete'; readonly which: number; readonly count: number }
  | { readonly kind: 'change'; readonly which: number; readonly seconds: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'purge' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        count: fc.constantFrom(1, 1, 2, 20, 40),
        group: fc.constantFrom('a', 'a', 'b', 'c', undefined),
        delaySeconds: fc.constantFrom(0, 0, 0, 5),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('receive' as const),
        times: fc.constantFrom(1, 1, 2, 5),
        visibilitySeconds: fc.constantFrom(0, 3, 30, 300, 300),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('delete' as const),
        which: fc.nat(40),
        count: fc.constantFrom(1, 3, 30),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        which: fc.nat(40),
        seconds: fc.constantFrom(0, 10),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 4, 31, 90, 300) }),
    },
    fc.record({ kind: fc.constant('purge' as const) }),
  ),
  { maxLength: 40, size: 'max' },
);

/** Receives in both and compares; false where rounding decides. */
function receive(real: OneQueue, model: Model, visibilitySeconds: number): boolean {
  const expected = model.next(7);
  if (!expected) return false;
  const { received } = real.messages.receive(real.queue, { count: 7, visibilitySeconds }, real.now);
  expect(received.map(({ body }) => body)).toEqual(expected.map(({ body }) => body));
  expected.forEach((message, i) => model.hold(message, received[i]?.receiptHandle ?? '', visibilitySeconds));
  const counted = real.rows('queue_loads').map((row) => row['in_flight']);
  if (received.length > 0) expect(counted).toEqual([real.messages.counts(real.queue, real.now).inFlight]);
  return true;
}

/** Does one step in both; false where rounding decides. */
function goOn(step: Step, real: OneQueue, model: Model): boolean {
  if (step.kind !== 'receive') {
    change(step, real, model);
    return true;
  }
  return Array.from({ length: step.times }).every(() => receive(real, model, step.visibilitySeconds));
}

function change(step: Exclude<Step, { kind: 'receive' }>, real: OneQueue, model: Model): void {
  const held = model.messages.filter(({ receipt }) => receipt !== undefined);
  switch (step.kind) {
    case 'send':
      for (let i = 0; i < step.count; i++) {
        const body = `message ${model.sent}`;
        real.send(body, step.group, step.delaySeconds);
        model.send(body, step.group, step.delaySeconds);
      }
      return;
    case 'delete':
      for (const message of held.slice(step.which, step.which + step.count)) {
        real.messages.delete(real.queue, message.receipt ?? '', real.now);
        model.endHold(message, model.now);
        model.messages.splice(model.messages.indexOf(message), 1);
      }
      return;
    case 'change': {
      const message = held[step.which];
      if (!message || message.visibleAt <= real.now) return;
      const visibility = { seconds: step.seconds, now: real.now };
      real.messages.changeVisibility(real.queue, message.receipt ?? '', visibility);
      message.visibleAt = model.now + step.seconds * 1000;
      model.endHold(message, message.visibleAt);
      return;
    }
    case 'wait':
      real.wait(step.seconds);
      model.now = real.now;
      return;
    case 'purge':
      real.messages.purge(real.queue, real.now);
      for (const message of model.messages.splice(0)) model.endHold(message, model.now);
  }
}

test('the next message is the one that AWS’s rule names, whatever happened before', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const real = new OneQueue();
      const model = new Model(real.now);
      all.every((step) => goOn(step, real, model));
      real.database.close();
    }),
    { numRuns: 200 },
  );
});
