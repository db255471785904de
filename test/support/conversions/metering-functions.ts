import { advancedAccount } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import type { Admission, Spend } from '../../../functions/conversions/billing/metering/admission.ts';
import { admit, type MeterStore } from '../../../functions/conversions/billing/metering/meter.ts';
import { meterStore } from '../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import type { Branch } from '../../../shared/metering/bucket-write.ts';
import { steadyMicros } from '../../../shared/metering/token-bucket.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { NOW } from './meter-accounts.ts';

/** Which of the two writes a function tries first: as it guesses, always the same one, or at random. */
export type Guessing = 'as-built' | Branch | 'at-random';

class GuessingAccounts extends AccountCache {
  private readonly guessing: Guessing;
  private readonly chance: () => number;

  constructor(guessing: Guessing, chance: () => number) {
    super(chance);
    this.guessing = guessing;
    this.chance = chance;
  }

  override guess(tenant: string, now: number): Branch {
    if (this.guessing === 'as-built') return super.guess(tenant, now);
    if (this.guessing === 'at-random') return this.chance() < 0.5 ? 'idle' : 'busy';
    return this.guessing;
  }
}

export interface FunctionOptions {
  readonly guessing?: Guessing;
  readonly chance?: () => number;
  /** Microseconds. */
  readonly now: () => number;
}

const SIGNAL = new AbortController().signal;

/** The meter as one running function has it: with a memory and a clock of its own. */
export class MeteringFunction {
  gaveUp = 0;
  readonly cache: AccountCache;
  readonly store: MeterStore;
  private readonly now: () => number;

  constructor(store: MeterStore, { guessing = 'as-built', chance = Math.random, now }: FunctionOptions) {
    this.store = store;
    this.cache = new GuessingAccounts(guessing, chance);
    this.now = steadyMicros(() => now() / 1_000);
  }

  admit(spend: Spend): Promise<Admission> {
    const report = () => {
      this.gaveUp += 1;
    };
    return admit({ store: this.store, cache: this.cache, now: this.now, report }, spend, SIGNAL);
  }

  /** Gives back what an admission has counted. */
  async refund(admission: Admission): Promise<boolean> {
    if (admission.kind !== 'admitted' || !admission.reservation) throw new Error('Nothing was counted.');
    return this.store.giveBack(admission.reservation, SIGNAL);
  }
}

/** A clock that stands still until it is moved, in microseconds. */
export class StandingClock {
  now = NOW;
}

/** Functions with the real table, and clocks that differ by these microseconds. */
export const functionsOn = (
  table: Table,
  clock: StandingClock,
  skews: readonly number[],
  guessing: Guessing = 'as-built',
): MeteringFunction[] =>
  skews.map((skew) => {
    const now = () => clock.now + skew;
    const millis = () => Math.floor(now() / 1_000);
    const store = meterStore(table, {
      advance: (tenant, item) => advancedAccount(table, tenant, item, millis()),
      now: millis,
    });
    return new MeteringFunction(store, { guessing, now });
  });

/** Calls at the same time, by turns through all functions. */
export const burst = (functions: readonly MeteringFunction[], calls: number, spendAt: (call: number) => Spend) =>
  Promise.all(Array.from({ length: calls }, (_, call) => functions[call % functions.length]!.admit(spendAt(call))));

export const countOf = (admissions: readonly Admission[], kind: Admission['kind']): number =>
  admissions.filter((one) => one.kind === kind).length;
