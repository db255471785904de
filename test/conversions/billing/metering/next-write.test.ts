import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import type { Taking } from '../../../../functions/conversions/billing/metering/meter.ts';
import { account, NOW, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { Traffic } from '../../../support/conversions/metered-traffic.ts';
import { MeteringFunction } from '../../../support/conversions/metering-functions.ts';
import { MemoryMeter } from '../../../support/runner/memory-meter.ts';

const TENANT = 'acme';

describe('after a write that was refused, the next one', () => {
  const ITEM = account('growth');

  /** The second write of a request whose first one finds this item, so many microseconds after it was sent. */
  async function secondWrite(fields: Partial<Account>, waited: number) {
    let at = NOW;
    const takings: Taking[] = [];
    const memory = new MemoryMeter();
    memory.items.set(TENANT, ITEM);
    const own = new MeteringFunction(memory, { now: () => at });
    memory.take = async (taking) => {
      takings.push(taking);
      at = NOW + waited;
      return { done: takings.length > 1, item: { ...ITEM, ...fields } };
    };
    await own.admit(spendOf(TENANT));
    expect(takings[0]).toMatchObject({ branch: 'idle', now: NOW });
    return takings[1];
  }

  it('is for a bucket in use if it still is', async () => {
    const next = await secondWrite({ arrival: NOW + 4_001 }, 4_000);
    expect(next).toMatchObject({ branch: 'busy', since: NOW + 4_000, now: NOW + 4_000 });
  });

  it('is for a bucket in use if it was that at some time since the request came, at the present time', async () => {
    for (const waited of [4_000, 30_000, 500_000]) {
      const [now, branch] = [NOW + waited, 'busy'];
      expect(await secondWrite({ arrival: now }, waited)).toMatchObject({ branch, since: now - 1, now });
      expect(await secondWrite({ arrival: NOW + 1 }, waited)).toMatchObject({ branch, since: NOW, now });
    }
  });

  it('is for an idle bucket if it was that all the time', async () => {
    const next = await secondWrite({ version: ITEM.version + 1, arrival: NOW - 1 }, 4_000);
    expect(next).toMatchObject({ branch: 'idle', now: NOW + 4_000 });
  });

  it('is for an idle bucket at the present time if it was refused for other limits', async () => {
    const next = await secondWrite({ version: ITEM.version + 1, arrival: NOW }, 4_000);
    expect(next).toMatchObject({ branch: 'idle', now: NOW + 4_000, item: { version: ITEM.version + 1 } });
  });
});

describe('a request that the table refuses again and again', () => {
  it('gives up after four writes, tells its caller to come again in a second, and says so to operators', async () => {
    const traffic = new Traffic({ item: account('growth'), seed: 1, skews: [0] });
    const [own] = traffic.functions;
    // Between any two tries somebody changes the limits.
    const take = own!.store.take.bind(own!.store);
    own!.store.take = async (...args) => {
      traffic.memory.items.set(TENANT, { ...traffic.item, version: traffic.item.version + 1 });
      return take(...args);
    };
    const done = traffic.request(spendOf(TENANT));
    await traffic.time.run();
    expect(await done).toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 1 });
    expect([traffic.writes, own!.gaveUp]).toEqual([4, 1]);
  });
});
