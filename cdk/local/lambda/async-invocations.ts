/** Events without a waiting caller are stored, tried again after failures, and reported when they are given up. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Activity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { type PendingItem, PendingWork } from '../events/pending-work.ts';
import { type AsyncSettings, DEFAULT_ASYNC, type FunctionDefinition } from './function-definition.ts';
import type { Functions, Invocation } from './functions.ts';

/** Bytes of an event without a waiting caller. */
const ASYNC_BYTES_MAX = 1_048_576;

/** Waits before the second and third attempt, as on AWS. */
export const ASYNC_RETRY_DELAYS_SECONDS: readonly number[] = [60, 120];

const THROTTLE_DELAY_SECONDS_MAX = 60;

const Event = z.object({
  functionArn: z.string(),
  payload: z.string(),
  acceptedAt: z.number(),
  failures: z.number(),
  throttles: z.number(),
});
type Event = z.output<typeof Event>;

export interface AsyncInvocationsOptions {
  readonly functions: Functions;
  readonly dataDir: string | null;
  readonly retryDelaysSeconds: readonly number[];
  readonly clock: Clock;
  readonly activity: Activity;
  readonly report: (line: string) => void;
}

export class AsyncInvocations {
  private readonly options: AsyncInvocationsOptions;
  private readonly pending: PendingWork<Event>;
  private readonly settings = new Map<string, AsyncSettings>();
  private closed = false;

  constructor(options: AsyncInvocationsOptions) {
    this.options = options;
    const { dataDir } = options;
    this.pending = new PendingWork(dataDir === null ? null : join(dataDir, 'async-invocations'), Event);
  }

  configure(functionArn: string, settings: Partial<AsyncSettings>): void {
    this.settings.set(functionArn, { ...DEFAULT_ASYNC, ...settings });
  }

  /** Takes up what an earlier run accepted and did not finish. Events of functions that are gone are dropped. */
  start(): void {
    for (const left of this.pending.left()) {
      if (this.options.functions.byArn(left.item.functionArn)) this.schedule(left, 0);
      else this.pending.done(left.id);
    }
  }

  /** Accepts an event. The caller gets no result. */
  accept(functionArn: string, payload: string): 'accepted' | 'too-large' {
    if (Buffer.byteLength(payload) > ASYNC_BYTES_MAX) return 'too-large';
    const acceptedAt = this.options.clock.millis();
    this.schedule(this.pending.add({ functionArn, payload, acceptedAt, failures: 0, throttles: 0 }), 0);
    return 'accepted';
  }

  /** Events accepted and not done. */
  get size(): number {
    return this.pending.size;
  }

  close(): void {
    this.closed = true;
  }

  private schedule(event: PendingItem<Event>, delaySeconds: number) {
    const begin = () => void this.options.activity.during('asynchronous invocation', () => this.attempt(event));
    if (delaySeconds === 0) begin();
    else this.options.clock.after(delaySeconds * 1000, begin);
  }

  private async attempt({ id, item }: PendingItem<Event>) {
    const { functions, report } = this.options;
    const definition = functions.byArn(item.functionArn);
    if (!definition || this.closed) return;
    try {
      const outcome = await functions.invoke(item.functionArn, item.payload);
      // An event cut off by the end of the process was not handled: it stays, for the next run.
      if (this.closed && outcome.kind !== 'result') return;
      this.conclude({ id, item }, definition, outcome);
    } catch (error) {
      if (!this.closed) report(`An event of ${definition.path} was not handled: ${String(error)}`);
    }
  }

  private conclude({ id, item }: PendingItem<Event>, definition: FunctionDefinition, outcome: Invocation) {
    const { maxRetries, maxAgeSeconds } = this.settings.get(definition.arn) ?? DEFAULT_ASYNC;
    const tooOld = this.options.clock.millis() - item.acceptedAt > maxAgeSeconds * 1000;
    if (outcome.kind === 'throttled' && !tooOld) {
      const throttles = item.throttles + 1;
      this.again({ id, item: { ...item, throttles } }, Math.min(2 ** throttles / 2, THROTTLE_DELAY_SECONDS_MAX));
      return;
    }
    if (outcome.kind === 'error' && item.failures < maxRetries && !tooOld) {
      const delays = this.options.retryDelaysSeconds;
      this.again({ id, item: { ...item, failures: item.failures + 1 } }, delays[item.failures] ?? delays.at(-1) ?? 0);
      return;
    }
    if (outcome.kind !== 'result') this.options.report(`${definition.path} gave up an event: ${reasonOf(outcome)}`);
    this.pending.done(id);
  }

  private again(event: PendingItem<Event>, delaySeconds: number) {
    this.pending.keep(event);
    if (!this.closed) this.schedule(event, delaySeconds);
  }
}

export function reasonOf(outcome: Exclude<Invocation, { kind: 'result' }>): string {
  if (outcome.kind === 'error') return `${outcome.error.errorType}: ${outcome.error.errorMessage}`;
  return outcome.kind === 'throttled' ? 'TooManyRequestsException: Rate Exceeded.' : outcome.message;
}
