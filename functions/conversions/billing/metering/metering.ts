import type { Account } from '../balances/account.ts';
import type { Admission, Reservation, Spend } from './admission.ts';
import type { Breaker } from './breaker.ts';
import { FallbackBuckets } from './fallback-buckets.ts';
import type { LateUsage } from './late-usage.ts';
import { admit, type MeterParts, type Taken } from './meter.ts';
import { type MeterFailure, meterFailureOf } from './meter-failure.ts';
import { TimedStore } from './timed-store.ts';
import { UsageBacklog, type UsageBacklogParts } from './usage-backlog.ts';

/** An admission without the table: limited by a bucket of this function alone, and counted later. */
export interface UnmeteredAdmission {
  readonly kind: 'unmetered';
  /** The account as this function last saw it, if it has seen it. */
  readonly item: Account | undefined;
  /** The pending write, if there is one; its answer shows whether the table has counted the request after all. */
  readonly write?: Promise<WriteOutcome>;
}

export type WriteOutcome = 'counted' | 'not-counted' | 'unknown';

export interface LocallyRateLimited {
  readonly kind: 'rate-limited-locally';
  readonly item: Account | undefined;
  readonly retryAfterSeconds: number;
}

export type MeteringResult = Admission | UnmeteredAdmission | LocallyRateLimited;

export type MeterEvent =
  | 'MeterGaveUp'
  | 'MeterUnavailable'
  | 'MeterThrottled'
  | 'MeterAmbiguous'
  | 'MeterRefused'
  | 'RefundLeaked'
  | 'UsageWaits'
  | 'UsageLost';

export interface MeteringParts extends MeterParts {
  readonly breaker: Breaker;
  readonly lateUsage: UsageBacklogParts['lateUsage'];
  /** Counts events that operators should see. */
  readonly report: (name: MeterEvent, error?: Error) => void;
}

export interface MeteringLimits {
  /** The timeouts of one call to the table and of all calls of a request, in milliseconds. */
  readonly callMillis: number;
  readonly requestMillis: number;
}

/**
 * The meter that routes use: exact while the table answers, and open while it does not. An outage of the table blocks
 * no caller and delays a request by a bounded time; credentials are verified without the table.
 */
export class Metering {
  private readonly parts: MeteringParts;
  private readonly limits: MeteringLimits;
  private readonly alone = new FallbackBuckets();
  private readonly backlog: UsageBacklog;

  constructor(parts: MeteringParts, limits: MeteringLimits) {
    this.parts = parts;
    this.limits = limits;
    this.backlog = new UsageBacklog(parts);
  }

  /** Admits a request, and at the same time sends usage that is still waiting for the queue. */
  async admit(spend: Spend): Promise<MeteringResult> {
    const [metered] = await Promise.all([this.metered(spend), this.backlog.send()]);
    return metered;
  }

  private async metered(spend: Spend): Promise<MeteringResult> {
    const { breaker, cache, report } = this.parts;
    if (!breaker.allows()) return this.open(spend);
    const store = this.timedStore();
    try {
      const admission = await admit({ ...this.parts, store }, spend, AbortSignal.timeout(this.limits.requestMillis));
      // A refusal from memory is no evidence about the table.
      if (store.isCalled) breaker.succeeded();
      else breaker.unused();
      return admission;
    } catch (error) {
      const failure = meterFailureOf(error);
      const write = failure === 'ambiguous' ? store.pending : undefined;
      report(failure === 'ambiguous' && !write ? 'MeterUnavailable' : EVENTS[failure], errorOf(error));
      if (failure === 'down' || failure === 'ambiguous') breaker.failed();
      else breaker.succeeded();
      if (failure === 'own-flood') {
        const item = cache.itemOf(spend.caller.tenant);
        return { kind: 'rate-limited-locally', item, retryAfterSeconds: 1 };
      }
      return this.open(spend, write && outcomeOf(write));
    }
  }

  /** True while calls are answered without the table. */
  get isOpen(): boolean {
    return this.parts.breaker.isOpen;
  }

  /** The account as this function last saw it. */
  lastSeen(tenant: string): Account | undefined {
    return this.parts.cache.itemOf(tenant);
  }

  private readonly timedStore = () => new TimedStore(this.parts.store, this.limits.callMillis);

  private open(
    { caller: { tenant }, counts }: Spend,
    write?: Promise<WriteOutcome>,
  ): UnmeteredAdmission | LocallyRateLimited {
    const { cache, now } = this.parts;
    const item = cache.itemOf(tenant);
    const wait = this.alone.take(tenant, item, now());
    return wait === undefined
      ? { kind: 'unmetered', item, ...(counts && write && { write }) }
      : { kind: 'rate-limited-locally', item, retryAfterSeconds: wait };
  }

  /**
   * Gives a conversion back to the period that it was taken from. A definite failure is retried once and then left to
   * the queue. After a timeout the outcome is unknown, and the conversion stays counted, because giving it back twice
   * would be worse.
   */
  async giveBack(reservation: Reservation, usage: LateUsage): Promise<void> {
    const { report } = this.parts;
    const store = this.timedStore();
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        if (await store.giveBack(reservation, AbortSignal.timeout(this.limits.requestMillis))) return;
        return report('RefundLeaked');
      } catch (error) {
        if (meterFailureOf(error) === 'ambiguous') return report('RefundLeaked', errorOf(error));
      }
    }
    await this.countLater(usage);
  }

  /** Counts through the queue; if the queue does not accept the usage now, a later call sends it. */
  async countLater(usage: LateUsage): Promise<void> {
    this.backlog.add(usage);
    await this.backlog.send();
  }

  /** Counts with the next call if the pending write ends with this outcome. */
  async countOnce(write: Promise<WriteOutcome>, isSo: WriteOutcome, usage: LateUsage): Promise<void> {
    if ((await write) === isSo) this.backlog.add(usage);
  }
}

/** A broken connection leaves the outcome unknown: the write may have succeeded. */
async function outcomeOf(write: Promise<Taken>): Promise<WriteOutcome> {
  try {
    return (await write).done ? 'counted' : 'not-counted';
  } catch (error) {
    return meterFailureOf(error) === 'ambiguous' ? 'unknown' : 'not-counted';
  }
}

const errorOf = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error('What was thrown is no error.'));

const EVENTS: Readonly<Record<MeterFailure, MeterEvent>> = {
  ambiguous: 'MeterAmbiguous',
  down: 'MeterUnavailable',
  'own-flood': 'MeterThrottled',
  throttled: 'MeterThrottled',
  'our-fault': 'MeterRefused',
};
