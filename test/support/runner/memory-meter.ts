import { type Account, counterOf, TEST_COUNTER } from '../../../functions/conversions/billing/balances/account.ts';
import {
  type Caller,
  isOverflowId,
  type Reservation,
} from '../../../functions/conversions/billing/metering/admission.ts';
import type { MeterStore, Taken, Taking } from '../../../functions/conversions/billing/metering/meter.ts';

/**
 * The account's item in memory, by the rules of the note instead of by an expression of DynamoDB. That both decide alike
 * is proven in `meter-store.dynamodb.test.ts`, so that what is simulated on this one holds for the table.
 */
export class MemoryMeter implements MeterStore {
  readonly items = new Map<string, Account>();
  /** Sees each write that was tried: the item before and after it, the same one where it was refused. */
  onTake: (taking: Taking, before: Account, after: Account) => void = () => {};

  async read(tenant: string): Promise<Account | undefined> {
    return structuredClone(this.items.get(tenant));
  }

  async take(taking: Taking): Promise<Taken> {
    const { tenant } = taking.caller;
    const before = this.items.get(tenant);
    if (!before) return { done: false, item: undefined };
    const isDone = isAllowed(taking, before);
    const after = isDone ? afterTaking(taking, before) : before;
    this.items.set(tenant, after);
    this.onTake(taking, before, after);
    return { done: isDone, item: structuredClone(after) };
  }

  async advance(): Promise<Account | undefined> {
    throw new Error('Periods do not end in memory.');
  }

  async giveBack({ tenant, counter }: Reservation): Promise<boolean> {
    const item = this.items.get(tenant);
    const used = Number(item?.[counter] ?? 0);
    if (!item || used < 1) return false;
    const life = counter === TEST_COUNTER ? {} : { liveTotal: (item.liveTotal ?? 0) - 1 };
    this.items.set(tenant, { ...item, [counter]: used - 1, ...life });
    return true;
  }

  async knowsOverflow(): Promise<boolean> {
    return true;
  }
}

const counterFor = ({ caller, item }: Taking) => (caller.mode === 'test' ? TEST_COUNTER : counterOf(item.periodId));

function isAllowed(taking: Taking, item: Account): boolean {
  const { caller, counts, branch, since, now } = taking;
  const { version: pv, tokenMicros: T, burst: B } = taking.item;
  const inBranch = branch === 'idle' ? item.arrival <= now : item.arrival > since && item.arrival <= now + (B - 1) * T;
  const limit = caller.mode === 'test' ? item.testQuota : item.hardLimit;
  const used = Number(item[counterFor(taking)] ?? 0);
  return isKnown(caller, item) && item.version === pv && item.validUntil > now && inBranch && (!counts || used < limit);
}

function isKnown({ credentialId, hash }: Caller, { credentials: ks }: Account): boolean {
  if (isOverflowId(credentialId)) return true;
  const key = ks[credentialId];
  return key?.state === 'active' && (hash === undefined || key.hash === hash);
}

function afterTaking(taking: Taking, item: Account): Account {
  const counter = counterFor(taking);
  return {
    ...item,
    arrival: (taking.branch === 'idle' ? taking.now : item.arrival) + taking.item.tokenMicros,
    ...(taking.counts && { [counter]: Number(item[counter] ?? 0) + 1 }),
    ...(taking.counts && counter !== TEST_COUNTER && { liveTotal: (item.liveTotal ?? 0) + 1 }),
  };
}
