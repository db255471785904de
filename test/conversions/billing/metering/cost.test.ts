/** What the meter costs, counted in virtual time on twenty functions whose clocks differ by a millisecond. */

import { describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { authenticator } from '../../../../functions/conversions/serving/authenticate.ts';
import { UNRESTRICTED } from '../../../../shared/auth/account-status.ts';
import { newKey } from '../../../../shared/auth/self-proving-key.ts';
import { account, NOW, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { excessOf, Traffic } from '../../../support/conversions/metered-traffic.ts';
import { seeded } from '../../../support/runner/virtual-time.ts';

const ACME = 'acme';
const FUNCTIONS = 20;

function traffic(item: Account, seed: number): Traffic {
  const chance = seeded(seed);
  return new Traffic({ item, seed, skews: Array.from({ length: FUNCTIONS }, () => 2_000 * chance() - 1_000) });
}

/** Traffic of so many percent of the rate, after every function has seen the account once. */
async function loaded(item: Account, percent: number, requests: number) {
  const load = traffic(item, percent);
  const warm = Promise.all(
    load.functions.map(async (own, index) => {
      await load.time.after(index * 100 * item.tokenMicros);
      await own.admit({ ...spendOf(ACME), counts: false });
    }),
  );
  await load.time.run();
  await warm;
  load.writes = 0;
  const done = load.arrivals((percent / 100) * (1_000_000 / item.tokenMicros), requests, spendOf(ACME));
  await load.time.run();
  await done;
  const admitted = load.decisions.filter(({ admission }) => admission.kind === 'admitted').length;
  return { load, admitted, writesPerRequest: load.writes / requests };
}

const RATES = [
  { plan: 'free', T: 200_000, B: 10 },
  { plan: 'growth', T: 20_000, B: 100 },
  { plan: 'scale', T: 5_000, B: 400 },
] as const;

describe('a metered request', () => {
  for (const { plan, T, B } of RATES) {
    it(`costs at most 1.6 writes at any load of the plan ${plan}, and 1.1 at a low one`, async () => {
      const item = account(plan, { tokenMicros: T, burst: B, hardLimit: 1e9 });
      const costs: number[] = [];
      for (const percent of [5, 20, 50, 90, 150, 1_000]) {
        const { load, writesPerRequest } = await loaded(item, percent, 400 + B);
        costs.push(writesPerRequest);
        expect(writesPerRequest).toBeLessThanOrEqual(percent <= 5 ? 1.1 : 1.6);
        // What the clocks are wrong by is worth less than one token.
        expect(
          excessOf(
            load.admitted.map(({ clockTime }) => clockTime),
            item,
          ),
        ).toBeLessThanOrEqual(1e-6);
      }
      expect(Math.min(...costs)).toBeGreaterThan(0);
    });
  }

  it('of an account below its rate is refused less than once in a thousand times, for the races that it loses', async () => {
    const item = account('scale', { tokenMicros: 5_000, burst: 400, hardLimit: 1e9 });
    for (const percent of [50, 75]) {
      const { admitted } = await loaded(item, percent, 1_500);
      expect(admitted).toBeGreaterThanOrEqual(1_499);
    }
  });
});

describe('a key that this service has not made', () => {
  it('is refused without a call to the table', async () => {
    const secrets = { 1: 'a secret of the server' };
    const { key } = newKey({ kind: 'cv_live', tenant: ACME, id: 'live1' }, secrets);
    const authenticate = authenticator(
      async () => secrets,
      async () => UNRESTRICTED,
    );
    expect(await authenticate(`Bearer ${key}`, NOW)).toMatchObject({ tenant: ACME, mode: 'live' });
    for (const forged of [key.replace('live1', 'live2'), key.replace(ACME, 'acne'), `${key.slice(0, -1)}!`]) {
      await expect(authenticate(`Bearer ${forged}`, NOW)).rejects.toMatchObject({ status: 401 });
    }
  });
});

describe('a flood of 5,000 requests in a second', () => {
  const flood = async (item: Account) => {
    const attack = traffic(item, 7);
    const done = attack.arrivals(5_000, 5_000, spendOf(ACME));
    await attack.time.run();
    await done;
    return attack;
  };

  it('of a rate-limited caller costs at most 0.2 calls each, and admits what the bucket has', async () => {
    for (const { plan, T, B } of RATES.slice(0, 1)) {
      const attack = await flood(account(plan, { tokenMicros: T, burst: B }));
      expect(attack.writes + attack.reads).toBeLessThanOrEqual(1_000);
      expect(attack.admitted.length).toBeGreaterThanOrEqual(B);
      expect(attack.admitted.length).toBeLessThanOrEqual(B + 1_000_000 / T + 1);
    }
  });

  it('of a caller whose quota is used up costs at most 0.2 calls each, and takes nothing', async () => {
    for (const { plan, T, B } of RATES) {
      const item = account(plan, { tokenMicros: T, burst: B, hardLimit: 0 });
      const attack = await flood(item);
      expect(attack.writes + attack.reads).toBeLessThanOrEqual(1_000);
      expect(attack.item).toEqual(item);
      expect(new Set(attack.decisions.map(({ admission }) => admission.kind))).toEqual(new Set(['quota-exceeded']));
    }
  });

  it('of a caller in debt costs at most 0.2 calls each, and takes nothing', async () => {
    const item = account('free', { arrival: NOW + 3_600_000_000 });
    const attack = await flood(item);
    expect(attack.writes + attack.reads).toBeLessThanOrEqual(1_000);
    expect(attack.item).toEqual(item);
  });
});
