/** Bursts, repeats, outages and dying functions, as clients of the conversion API meet them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Death } from '../../../cdk/local/lambda/faults.ts';
import { eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { type ConversionTenant, conversionTenants } from '../../support/conversions/conversion-tenant.ts';

const CONVERT = '/v1/convert';
const FUNCTION = 'Conversions/Convert';
const ITEM = { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 };

let service: RunningService;
let newTenant: Awaited<ReturnType<typeof conversionTenants>>;
let acme: ConversionTenant;
let other: ConversionTenant;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  newTenant = await conversionTenants(service);
  acme = await newTenant();
  other = await newTenant();
});
afterAll(() => service?.close());
afterEach(() => expect(service.cloud.faults.pending).toBe(0));

describe('a request with an Idempotency-Key', () => {
  it('is answered once, however often it comes', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { items: [ITEM, { ...ITEM, to: 'kg' }] };
    const before = (await acme.usage()).test_used;
    const all = await Promise.all(Array.from({ length: 4 }, () => acme.call(CONVERT, body, { headers })));
    expect(all.filter((one) => one.headers.get('x-quota-cost') === '1')).toHaveLength(1);
    const again = await acme.call(CONVERT, body, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const answered = all.filter(({ status }) => status === 200);
    expect(answered.map(({ text }) => text)).toEqual(answered.map(() => again.text));
    // Who lost its turn four times is limited.
    for (const { status } of all) expect([200, 409, 429]).toContain(status);
    const reused = await acme.call(CONVERT, ITEM, { headers });
    expect([reused.status, reused.json.code]).toEqual([422, 'idempotency-key-reused']);
    const elsewhere = await other.call(CONVERT, ITEM, { headers });
    expect([elsewhere.status, elsewhere.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect((await acme.usage()).test_used).toBe(before + 1);
  });

  it('whose function died without holding the key is answered when it is sent again, and counted once', async () => {
    // A key that a dead function holds is free after that function's time: `repeated-requests.dynamodb.test.ts`.
    const deaths: [Death, 'replay' | 'anew'][] = [
      ['before-invoke', 'anew'],
      [{ call: 1, moment: 'sending' }, 'anew'],
      [{ call: 3, moment: 'answered' }, 'replay'],
      ['after-result', 'replay'],
    ];
    const scenes = [];
    for (const [death, kind] of deaths) scenes.push({ tenant: await killed(death), death, kind });
    await Promise.all(
      scenes.map(async ({ tenant, death, kind }) => {
        const again = await answered(tenant);
        expect([death, again.headers.get('idempotent-replayed')]).toEqual([death, kind === 'replay' ? 'true' : null]);
        expect(again.json.value).toBe('116.13');
        expect([death, (await tenant.usage()).test_used]).toEqual([death, USED + 1]);
        expect((await answered(tenant)).text).toBe(again.text);
      }),
    );
  });
});

/** The function sees that few conversions are left: it takes the key first, and then the conversion. */
const USED = 220;
const KEYED = { headers: { 'idempotency-key': 'key' } };

async function killed(death: Death) {
  const tenant = await newTenant();
  await tenant.setUsed({ tu: USED - 1 });
  expect((await tenant.call(CONVERT, ITEM)).status).toBe(200);
  service.cloud.faults.kill(FUNCTION, death);
  const headers = { authorization: `Bearer ${tenant.test}`, 'content-type': 'application/json', ...KEYED.headers };
  const lost = await service.call(CONVERT, { method: 'POST', headers, body: JSON.stringify(ITEM) });
  expect([death, lost.status]).toEqual([death, 500]);
  return tenant;
}

/** As a client does that waits as long as it is told. */
async function answered({ call }: ConversionTenant) {
  for (;;) {
    const answer = await call(CONVERT, ITEM, KEYED);
    if (answer.status === 200) return answer;
    expect([409, 429]).toContain(answer.status);
    service.cloud.clock.advance(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

describe('too many requests', () => {
  it('are told when to come back, and whoever waits so long is served', async () => {
    const { call, usage } = await newTenant('free');
    const burst = await Promise.all(Array.from({ length: 16 }, () => call(CONVERT, ITEM)));
    const limited = burst.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.map((one) => one.json.code)).toEqual(limited.map(() => 'rate-limited'));
    const seconds = Math.max(...limited.map(({ headers }) => Number(headers.get('retry-after'))));
    expect(seconds).toBeGreaterThanOrEqual(1);
    service.cloud.clock.advance(seconds * 1_000);
    expect((await call(CONVERT, ITEM)).status).toBe(200);
    expect((await usage()).test_used).toBe(burst.length - limited.length + 1);
  });

  it('across a change of plan are all served or limited, and counted as they were served', async () => {
    const tenant = await newTenant('free');
    const burst = Array.from({ length: 16 }, () => tenant.call(CONVERT, ITEM));
    await tenant.manage('PUT', 'plan', { plan: 'growth', paymentMethod: 'card' });
    const answers = await Promise.all(burst);
    for (const { status, headers } of answers) {
      expect([200, 429]).toContain(status);
      expect(['10', '100']).toContain(headers.get('ratelimit-limit'));
    }
    const served = answers.filter(({ status }) => status === 200);
    expect((await tenant.usage()).test_used).toBe(served.length);
    const next = await eventually(
      service.cloud,
      () => tenant.call(CONVERT, ITEM),
      ({ status }) => status === 200,
    );
    expect(next.headers.get('ratelimit-limit')).toBe('100');
  });
});

describe('a function that is refused every AWS call', () => {
  it('serves on with all headers, and counts again when calls are allowed', async () => {
    const tenant = await newTenant('free');
    await tenant.call(CONVERT, ITEM);
    service.cloud.denyAll(FUNCTION);
    try {
      const { status, headers } = await tenant.call(CONVERT, ITEM, { headers: { 'idempotency-key': 'a' } });
      expect([status, headers.get('ratelimit-limit'), headers.get('x-quota-cost')]).toEqual([200, '10', '1']);
      // A credential that was never seen here is proven all the same.
      const fresh = await newTenant('free');
      expect((await fresh.call(CONVERT, ITEM)).status).toBe(200);
      expect((await tenant.call(CONVERT, ITEM, { credential: tenant.test.slice(0, -1) })).status).toBe(401);
    } finally {
      service.cloud.allow(FUNCTION);
    }
    const before = (await tenant.usage()).test_used;
    await eventually(
      service.cloud,
      () => tenant.call(CONVERT, ITEM),
      ({ headers }) => headers.get('x-quota-remaining') === String(250 - before),
    );
    expect((await tenant.usage()).test_used).toBeGreaterThan(before);
    const logs = JSON.stringify(service.cloud.logsOf(FUNCTION));
    expect(logs).toContain('UsageWaits');
    expect(logs).not.toContain(tenant.test.slice(-40));
  });
});
