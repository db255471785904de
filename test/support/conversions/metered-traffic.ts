import type { Account } from '../../../functions/conversions/billing/balances/account.ts';
import type { Admission, Reservation, Spend } from '../../../functions/conversions/billing/metering/admission.ts';
import type { MeterStore, Taken, Taking } from '../../../functions/conversions/billing/metering/meter.ts';
import { MemoryMeter } from '../runner/memory-meter.ts';
import { seeded, VirtualTime } from '../runner/virtual-time.ts';
import { NOW, SECOND } from './meter-accounts.ts';
import { type Guessing, MeteringFunction } from './metering-functions.ts';

export interface TrafficOptions {
  readonly item: Account;
  readonly seed: number;
  /** Microseconds by which the clock of each function differs. */
  readonly skews: readonly number[];
  readonly guessing?: Guessing;
}

interface Decision {
  readonly spend: Spend;
  readonly admission: Admission;
}

/** Callers of one account, in many functions and in virtual time, on a table that takes a few milliseconds. */
export class Traffic {
  readonly tenant = 'acme';
  readonly time = new VirtualTime(NOW);
  readonly memory = new MemoryMeter();
  readonly decisions: Decision[] = [];
  /** Calls that write, failed ones included, and those that read. */
  writes = 0;
  reads = 0;
  /** Of each write that was admitted, in the order of the table: its true time, and the time that it states. */
  readonly admitted: { readonly at: number; readonly clockTime: number }[] = [];
  /** Longest way to the table, or back. */
  longestWay = 0;
  readonly functions: readonly MeteringFunction[];
  readonly chance: () => number;

  constructor({ item, seed, skews, guessing = 'as-built' }: TrafficOptions) {
    this.chance = seeded(seed);
    this.memory.items.set(this.tenant, item);
    const store = this.delayed(this.memory);
    this.functions = skews.map((skew) => {
      const now = () => this.time.now + skew;
      return new MeteringFunction(store, { guessing, chance: this.chance, now });
    });
  }

  get item(): Account {
    return this.memory.items.get(this.tenant)!;
  }

  /** One request, in a function by chance. */
  async request(spend: Spend): Promise<Admission> {
    const own = this.functions[Math.floor(this.chance() * this.functions.length)]!;
    const admission = await own.admit(spend);
    this.decisions.push({ spend, admission });
    return admission;
  }

  /** Requests at random times, so many a second on average; ends when all are answered. */
  async arrivals(ratePerSecond: number, requests: number, spend: Spend): Promise<void> {
    const all: Promise<unknown>[] = [];
    for (let sent = 0; sent < requests; sent += 1) {
      await this.time.after((-Math.log(1 - this.chance()) * SECOND) / ratePerSecond);
      all.push(this.request(spend));
    }
    await Promise.all(all);
  }

  /** Half of a call's time before the table decides, and half after it: 4 ms in the middle of a lognormal distribution. */
  private delayed(memory: MemoryMeter): MeterStore {
    const call = async <T>(decide: () => Promise<T>): Promise<T> => {
      const half = 2_000 * Math.exp(0.5 * this.normal());
      this.longestWay = Math.max(this.longestWay, half);
      await this.time.after(half);
      const decided = await decide();
      await this.time.after(half);
      return decided;
    };
    const written = async <T>(decide: () => Promise<T>): Promise<T> => {
      this.writes += 1;
      return call(decide);
    };
    return {
      read: (tenant: string) => {
        this.reads += 1;
        return call(() => memory.read(tenant));
      },
      take: (taking: Taking) => written(() => this.taken(taking)),
      advance: () => written(() => memory.advance()),
      giveBack: (reservation: Reservation) => written(() => memory.giveBack(reservation)),
      knowsOverflow: () => memory.knowsOverflow(),
    };
  }

  private async taken(taking: Taking): Promise<Taken> {
    const taken = await this.memory.take(taking);
    if (taken.done) this.admitted.push({ at: this.time.now, clockTime: statedTime(taking, taken.item) });
    return taken;
  }

  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.chance())) * Math.cos(2 * Math.PI * this.chance());
  }
}

/** The time that an admission counts for: while its request was under way, and not later than its bucket was in use. */
const statedTime = ({ branch, now }: Taking, { arrival: tat, tokenMicros: T }: Account) =>
  branch === 'idle' ? now : Math.min(now, tat - T);

/** By how much the admissions of any window, in the order of the table, exceed its burst and its rate, in tokens; not above 0 for an exact meter. */
export function excessOf(
  times: readonly number[],
  { tokenMicros: T, burst: B }: Pick<Account, 'tokenMicros' | 'burst'>,
): number {
  let worst = Number.NEGATIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  // Of a window from the i-th to the j-th admission: (j - i + 1) - B - (t_j - t_i) / T.
  for (const [index, at] of times.entries()) {
    least = Math.min(least, index - at / T);
    worst = Math.max(worst, index + 1 - at / T - least - B);
  }
  return worst;
}
