/** Deliveries that happen at least once: stored until they succeed or go to a dead-letter queue. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Activity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { type PendingItem, PendingWork } from './pending-work.ts';
import type { DeliveryOutcome, Targets } from './targets.ts';

const Promised = z.object({
  targetArn: z.string(),
  payload: z.string(),
  from: z.object({ service: z.string(), sourceArn: z.string() }),
  retry: z.object({ maxAttempts: z.number(), maxAgeSeconds: z.number() }),
  deadLetterArn: z.string().optional(),
  traceHeader: z.string().optional(),
  acceptedAt: z.number(),
  attempts: z.number(),
});
type Promised = z.output<typeof Promised>;

/** A payload, its target, and for how long the delivery is tried. */
export type Order = Omit<Promised, 'acceptedAt' | 'attempts'>;

/** EventBridge's own limits. */
export const RETRY_DEFAULT = { maxAttempts: 185, maxAgeSeconds: 86_400 };

const DELAY_SECONDS_MAX = 60;

export interface DeliveriesOptions {
  readonly targets: Targets;
  readonly dataDir: string | null;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly report: (line: string) => void;
}

export class Deliveries {
  private readonly options: DeliveriesOptions;
  private readonly pending: PendingWork<Promised>;
  private readonly underWay = new Set<Promise<void>>();
  private closed = false;

  constructor(options: DeliveriesOptions) {
    this.options = options;
    const { dataDir } = options;
    this.pending = new PendingWork(dataDir === null ? null : join(dataDir, 'event-deliveries'), Promised);
  }

  /** Deliveries that were accepted and are not done. */
  get size(): number {
    return this.pending.size;
  }

  /** Resumes the deliveries that an earlier run accepted. */
  start(): void {
    for (const left of this.pending.left()) this.schedule(left, 0);
  }

  accept(order: Order): void {
    const promised = this.pending.add({ ...order, acceptedAt: this.options.clock.millis(), attempts: 0 });
    // Deliveries that arrive while the cloud stops are stored for the next run.
    if (!this.closed) this.schedule(promised, 0);
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.underWay);
  }

  private schedule(promised: PendingItem<Promised>, delaySeconds: number) {
    const begin = () => {
      if (this.closed) return;
      const attempt = this.options.activity
        .during('delivery', () => this.attempt(promised))
        .finally(() => this.underWay.delete(attempt));
      this.underWay.add(attempt);
    };
    if (delaySeconds === 0) begin();
    else this.options.clock.after(delaySeconds * 1000, begin);
  }

  private async attempt({ id, item }: PendingItem<Promised>) {
    const outcome = await this.options.targets.deliver(item);
    if (outcome.kind === 'delivered') {
      this.pending.done(id);
      return;
    }
    const attempts = item.attempts + 1;
    const age = (this.options.clock.millis() - item.acceptedAt) / 1000;
    const { maxAttempts, maxAgeSeconds } = item.retry;
    if (outcome.kind === 'failed' && attempts <= maxAttempts && age < maxAgeSeconds) {
      const again = { id, item: { ...item, attempts } };
      this.pending.keep(again);
      if (!this.closed) this.schedule(again, Math.min(2 ** attempts / 2, DELAY_SECONDS_MAX));
      return;
    }
    await this.giveUp(item, outcome);
    this.pending.done(id);
  }

  private async giveUp(item: Promised, { reason, kind }: Exclude<DeliveryOutcome, { kind: 'delivered' }>) {
    const { targets, report } = this.options;
    report(`Nothing was delivered to ${item.targetArn}: ${reason}`);
    if (item.deadLetterArn === undefined) return;
    const delivered = await targets.deliver({
      targetArn: item.deadLetterArn,
      payload: item.payload,
      from: item.from,
      traceHeader: item.traceHeader,
      attributes: {
        ERROR_CODE: kind === 'refused' ? 'NO_PERMISSIONS' : 'SDK_CLIENT_ERROR',
        ERROR_MESSAGE: reason,
        RULE_ARN: item.from.sourceArn,
        TARGET_ARN: item.targetArn,
      },
    });
    if (delivered.kind !== 'delivered')
      report(`The dead-letter queue ${item.deadLetterArn} took nothing: ${delivered.reason}`);
  }
}
