/** Runs from their event to their end, each function called by hand. */
import { createHash } from 'node:crypto';
import { elapsed } from '../../support/runner/machine-time.ts';
import type { createWebhookDesk } from './webhook-clients.ts';

export type WebhookDesk = Awaited<ReturnType<typeof createWebhookDesk>>;
export type Timed = <Result>(step: string, does: () => Promise<Result>) => Promise<Result>;

export interface Lives {
  readonly desk: WebhookDesk;
  readonly timed: Timed;
  /** One for each run. */
  readonly events: readonly string[];
  /** Runs before each. */
  readonly before: () => void;
}

type Message = NonNullable<Awaited<ReturnType<WebhookDesk['dispatch']>>>;

async function begin({ desk, timed }: Pick<Lives, 'desk' | 'timed'>, name: string): Promise<[string, Message]> {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 24);
  const data = { locale: 'de-DE', requests: ['access', 'erasure'] };
  const event = { id, recordType: 'subject request', recordId: id, data, time: new Date().toISOString() };
  const [run = ''] = await timed('trigger', () => desk.trigger(event));
  const message = await timed('dispatch', () => desk.dispatch(run));
  if (!message) throw new Error('There is no message for a new run.');
  return [run, message];
}

/** Each run ends before the next one begins. @returns the runs */
export async function oneByOne(lives: Lives): Promise<readonly string[]> {
  const { desk, timed } = lives;
  const runs: string[] = [];
  for (const name of lives.events) {
    lives.before();
    const [run, first] = await begin(lives, name);
    runs.push(run);
    const messages: (Message | undefined)[] = [first];
    for (let message = messages.shift(); message; message = messages.shift()) {
      const due = message;
      messages.push(...(await timed('deliver', () => desk.deliver(due))));
      const next = await desk.run(run);
      if (next && 'dispatchAttempt' in next && next.dispatchAttempt === due.ticket.attempt + 1) {
        messages.push(await timed('dispatch', () => desk.dispatch(run)));
      }
    }
  }
  return runs;
}

interface Parking {
  readonly configuration: string;
  /** Before each run. */
  readonly pauseMillis: number;
}

/** Parks a run: all slots are taken when its message comes. @returns the run */
export async function parkedLife(lives: Pick<Lives, 'desk' | 'timed'>, name: string): Promise<string> {
  const [run, message] = await begin(lives, name);
  const sent = await lives.timed('deliver', () => lives.desk.deliver(message));
  const stored = await lives.desk.run(run);
  if (!stored || !('isParked' in stored) || sent.length > 0) throw new Error('A run was not parked.');
  return run;
}

export const untimed: Timed = (_, does) => does();

/**
 * All are parked; then one slot goes from each run to the next. The last one gives it to one more run, so that as many
 * starts as runs are counted. @returns the runs
 */
export async function parkedLives(lives: Lives, { configuration, pauseMillis }: Parking): Promise<readonly string[]> {
  const { desk, timed } = lives;
  const [slot] = await desk.hold(configuration, Date.now() + 3_600_000);
  if (!slot) throw new Error('No slot is free.');
  const runs: string[] = [];
  for (const name of lives.events) {
    await elapsed(pauseMillis);
    runs.push(await parkedLife(lives, name));
  }
  const { isPaused } = desk.ledger;
  desk.ledger.isPaused = true;
  const oneMore = await parkedLife({ desk, timed: untimed }, `after ${lives.events.at(-1)}`);
  desk.ledger.isPaused = isPaused;
  const messages = await desk.release(configuration, slot);
  for (let message = messages.shift(); message; message = messages.shift()) {
    const due = message;
    lives.before();
    const isLast = due.ticket.run === oneMore;
    desk.ledger.isPaused ||= isLast;
    messages.push(...(await (isLast ? untimed : timed)('deliver', () => desk.deliver(due))));
  }
  return runs;
}
