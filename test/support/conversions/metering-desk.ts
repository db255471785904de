import { type Account, quotaOf } from '../../../functions/conversions/billing/balances/account.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import { Breaker } from '../../../functions/conversions/billing/metering/breaker.ts';
import type { LateUsage } from '../../../functions/conversions/billing/metering/late-usage.ts';
import type { MeterStore } from '../../../functions/conversions/billing/metering/meter.ts';
import { type MeterEvent, Metering } from '../../../functions/conversions/billing/metering/metering.ts';
import { serveMetered } from '../../../functions/conversions/serving/metered-call.ts';
import { MemoryMeter } from '../runner/memory-meter.ts';
import { VirtualTime } from '../runner/virtual-time.ts';
import { account, callerOf, NOW, spendOf } from './meter-accounts.ts';

const ACME = 'acme';
const MILLI = 1_000;
const CALL = 50;
const REQUEST = 80;
/** Longer than any request waits. */
const SLOW = 900;

/** What becomes of a call to the table. */
export type Fate = 'answered' | 'refused' | 'hung' | 'written-and-hung' | 'slow';
const never = new Promise<never>(() => {});
const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

/** One function and a table whose calls take three milliseconds, and end as the test says. */
export class MeteringDesk {
  readonly time = new VirtualTime(NOW);
  readonly memory = new MemoryMeter();
  readonly late: LateUsage[] = [];
  readonly events: MeterEvent[] = [];
  readonly breaker = new Breaker(
    () => this.time.now / MILLI,
    () => 0.5,
  );
  calls = 0;
  fate: (call: keyof MeterStore) => Fate = () => 'answered';
  readonly metering: Metering;

  constructor(item: Account = account('scale', { burst: 10_000 })) {
    this.memory.items.set(ACME, item);
    this.metering = new Metering(
      {
        store: this.store(),
        cache: new AccountCache(() => 0.5),
        now: () => this.time.now,
        breaker: this.breaker,
        lateUsage: { send: (usage) => this.send(usage) },
        report: (event) => this.events.push(event),
      },
      { callMillis: CALL, requestMillis: REQUEST },
    );
  }

  /** What becomes of a message; a slow one is taken, but its sender has given up by then. */
  queueFate: () => 'answered' | 'refused' | 'slow' = () => 'answered';

  private async send(usage: LateUsage): Promise<void> {
    const fate = this.queueFate();
    if (fate === 'refused') return refused();
    this.late.push(usage);
    if (fate === 'answered') return;
    await this.time.after(SLOW * MILLI);
    throw Object.assign(new Error('over'), { name: 'TimeoutError' });
  }

  /** All that was counted: by the table, and by the queue's worker, once for each id. */
  get counted(): number {
    const amounts = new Map(this.late.map(({ id, amount }) => [id, amount]));
    return this.used + [...amounts.values()].reduce<number>((sum, amount) => sum + amount, 0);
  }

  get used(): number {
    return quotaOf(this.memory.items.get(ACME)!, 'live').used;
  }

  /** A request, and how long it waited, in milliseconds. */
  async admit(spend = spendOf(ACME)) {
    const since = this.time.now;
    const metered = await this.metering.admit(spend);
    return { metered, waited: (this.time.now - since) / MILLI };
  }

  private store(): MeterStore {
    const { memory } = this;
    return {
      read: (tenant) => this.ended('read', () => memory.read(tenant)),
      take: (taking) => this.ended('take', () => memory.take(taking)),
      advance: () => this.ended('advance', () => memory.advance()),
      giveBack: (reservation) => this.ended('giveBack', () => memory.giveBack(reservation)),
      knowsOverflow: () => this.ended('knowsOverflow', () => memory.knowsOverflow()),
    };
  }

  /** No call heeds its signal: the time limits must hold all the same. */
  private async ended<T>(call: keyof MeterStore, work: () => Promise<T>): Promise<T> {
    this.calls += 1;
    const fate = this.fate(call);
    if (fate === 'hung') return never;
    if (fate === 'refused') return refused();
    await this.time.after((fate === 'slow' ? SLOW : 3) * MILLI);
    const result = await work();
    return fate === 'written-and-hung' ? never : result;
  }

  /** Runs this in virtual time, until nobody waits any more. */
  async inTime<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    await this.time.run();
    return done;
  }

  /** Stands for `AbortSignal.timeout`, so that what is waited for can be counted exactly. */
  readonly timeout = (millis: number): AbortSignal => {
    const controller = new AbortController();
    void this.time.after(millis * MILLI).then(() => controller.abort(new DOMException('over', 'TimeoutError')));
    return controller.signal;
  };

  /** One call of a metered route, whose handler makes an answer that counts, or fails. */
  serve(requestId: string, isCounted: boolean) {
    const parts = {
      metering: this.metering,
      answers: NO_ANSWERS,
      noteUse: async () => undefined,
      announceThresholds: async () => {},
    };
    const answer = { status: isCounted ? 200 : 500, contentType: 'application/json', body: '{}' };
    const call = { caller: callerOf(ACME), requestId, now: this.time.now / MILLI };
    return serveMetered(parts, call, async () => ({ answer, isCounted }));
  }
}

const none = () => Promise.reject(new Error('No request has a key.'));
const NO_ANSWERS = { claim: none, complete: none, release: none };
