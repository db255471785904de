import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';

/** Runs that an endpoint missed, made by three rules: more than a page. */
const PAGES = isThorough ? 3 : 2;
const MISSED = isThorough ? 42 : 21;
const FEW = 48;
const folder = mkdtempSync(join(tmpdir(), 'webhook-replays-'));
const beginning = new Date().toISOString();
let receiver: Receiver;
let service: RunningService;
let isDown = true;

beforeAll(async () => {
  receiver = await startReceiver({ answer: () => ({ status: isDown ? 503 : 200 }) });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'Webhooks/' });
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true });
});

const postsTo = (path: string) => receiver.posts.filter((post) => post.path === path);
const keysOf = (path: string) => postsTo(path).map(({ headers }) => String(headers['x-service-idempotency-key']));

/** A tenant whose endpoint was down for this many runs, made by three rules. */
async function tenantWithFailures(name: string, count: number) {
  isDown = true;
  const tenant = await webhookTenant(service, name);
  const path = `/${name}`;
  const made: { configuration: string }[] = [];
  while (made.length < 3) made.push(await tenant.webhook(`${receiver.url}${path}`, { maxAttempts: 1 }));
  const [one] = made;
  // One after the other: at once, each of them would start a function of its own.
  const runs: string[] = [];
  for (let n = 0; runs.length < count; n += 1) runs.push(...(await tenant.announce({ recordId: `r${n}` })));
  await eventually(
    service.cloud,
    () => runsOf(tenant, 'status=FAILED'),
    (failed) => failed.length === count,
  );
  return { tenant, path, configuration: one?.configuration, runs };
}

async function runsOf(tenant: WebhookTenant, filter: string): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  let cursor = '';
  do {
    const page = await tenant.get(`runs?limit=100&${filter}${cursor}`);
    runs.push(...page.items);
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
  } while (cursor);
  return runs;
}

interface RunSummary {
  readonly id: string;
  readonly status: string;
  readonly bulkReplay: string | null;
  readonly resolved: boolean;
  readonly replays: number;
}

const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => a.localeCompare(b));

/** Waits until all replays are delivered; returns how many there are. */
async function delivered(tenant: WebhookTenant, bulkReplay: string): Promise<number> {
  const replays = await eventually(
    service.cloud,
    async () => (await runsOf(tenant, '')).filter((run) => run.bulkReplay === bulkReplay),
    (runs) => runs.every(({ status }) => ['COMPLETED', 'FAILED'].includes(status)),
  );
  for (const { status } of replays) expect(status).toBe('COMPLETED');
  return replays.length;
}

const ended = (tenant: WebhookTenant, id: string) =>
  eventually(
    service.cloud,
    () => tenant.get(`replays/${id}`),
    ({ status }) => status !== 'RUNNING',
  );

describe('a bulk replay', () => {
  it('delivers everything that an endpoint missed while it was down, each once, and shows its progress', async () => {
    const { tenant, path, configuration, runs } = await tenantWithFailures('acme', MISSED);
    expect(postsTo(path)).toHaveLength(MISSED);
    isDown = false;
    const started = await tenant.call('POST', 'replays', { from: beginning, module: 'dsar' });
    expect(started.status).toBe(202);
    const { id } = started.json;
    expect(started.headers.get('location')).toBe(`/manage/v1/replays/${id}`);
    expect(started.json).toMatchObject({
      id: expect.stringMatching(/^rpl_/),
      status: 'RUNNING',
      filter: { module: 'dsar', configuration: null, from: beginning, to: null, record: null },
      replayed: 0,
      skipped: 0,
      completedAt: null,
    });
    const second = await tenant.call('POST', 'replays', { from: beginning });
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({ code: 'replay-running', detail: expect.stringContaining(id) });

    const done = await ended(tenant, id);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      replayed: MISSED,
      skipped: 0,
      skippedBecause: {},
      reached: beginning,
    });
    // At 20 replays a second, each page begins a second after the one before it. Messages are delayed by whole seconds.
    expect(Date.parse(done.completedAt) - Date.parse(done.createdAt)).toBeGreaterThan((PAGES - 1) * 500);
    expect(await delivered(tenant, id)).toBe(MISSED);
    const originals = await runsOf(tenant, 'status=FAILED');
    expect(originals.map(({ resolved, replays: count }) => [resolved, count])).toEqual(runs.map(() => [true, 1]));
    expect(postsTo(path)).toHaveLength(2 * MISSED);
    const keys = keysOf(path);
    expect(sorted(keys.slice(MISSED))).toEqual(sorted(keys.slice(0, MISSED)));

    const again = await tenant.call('POST', 'replays', { from: beginning, configuration });
    expect(await ended(tenant, again.json.id)).toMatchObject({
      status: 'COMPLETED',
      replayed: 0,
      skipped: MISSED / 3,
      skippedBecause: { resolved: MISSED / 3 },
    });
    expect((await tenant.get('replays')).items.map((one: { id: string }) => one.id)).toEqual([again.json.id, id]);
    const first = await tenant.get('replays?limit=1');
    const rest = await tenant.get(`replays?limit=1&cursor=${first.nextCursor}`);
    expect(rest.items).toMatchObject([{ id, replayed: MISSED }]);
    expect(postsTo(path)).toHaveLength(2 * MISSED);
  });

  // In `npm test`, `test/webhooks/bulk-replays/bulk-replay.dynamodb.test.ts` shows it without the service.
  it.runIf(isThorough)(
    'that is cancelled has made the replays that it counts, and leaves the rest to another',
    async () => {
      const { tenant, path } = await tenantWithFailures('globex', FEW);
      isDown = false;
      // The first page is made and recorded, and no other.
      service.cloud.faults.kill('ReplayPage', 'after-result');
      service.cloud.faults.throttle('ReplayPage', 1_000);
      const { json: started } = await tenant.call('POST', 'replays', { from: beginning });
      await service.cloud.settled();
      const cancelled = await tenant.call('DELETE', `replays/${started.id}`);
      expect(cancelled.status).toBe(200);
      expect(cancelled.json).toMatchObject({ status: 'CANCELLED' });
      service.cloud.faults.clear();
      const { replayed } = cancelled.json;
      expect(replayed).toBeGreaterThan(0);
      expect(replayed).toBeLessThan(FEW);
      expect((await tenant.call('DELETE', `replays/${started.id}`)).json).toEqual(cancelled.json);
      expect(await delivered(tenant, started.id)).toBe(replayed);
      const { json: next } = await tenant.call('POST', 'replays', { from: beginning });
      const done = await ended(tenant, next.id);
      expect(done).toMatchObject({
        replayed: FEW - replayed,
        skipped: replayed,
        skippedBecause: { resolved: replayed },
      });
      expect(await delivered(tenant, next.id)).toBe(FEW - replayed);
      expect((await tenant.get(`replays/${started.id}`)).replayed).toBe(replayed);
      expect(postsTo(path)).toHaveLength(2 * FEW);
    },
  );

  it('is its tenant’s own to cancel, and an operator’s who names the tenant', async () => {
    const [initech, umbrella] = [await webhookTenant(service, 'initech'), await webhookTenant(service, 'umbrella')];
    const { json: own } = await initech.call('POST', 'replays', { from: beginning });
    expect((await umbrella.call('GET', `replays/${own.id}`)).status).toBe(404);
    expect((await umbrella.call('DELETE', `replays/${own.id}`)).status).toBe(404);
    expect((await umbrella.get('replays')).items).toEqual([]);
    expect((await umbrella.call('GET', 'replays?tenant=initech')).status).toBe(404);
    // One of its own may run meanwhile.
    expect((await umbrella.call('POST', 'replays', { from: beginning })).status).toBe(202);
    expect(await ended(initech, own.id)).toMatchObject({ status: 'COMPLETED', replayed: 0, skipped: 0 });

    const token = await service.managementToken('demo', { operator: true });
    const asOperator = (method: string, path: string, body?: unknown) =>
      service.call(`/manage/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const made = await asOperator('POST', 'replays?tenant=initech', { from: beginning });
    expect(made.status).toBe(202);
    expect(made.headers.get('location')).toBe(`/manage/v1/replays/${made.json.id}?tenant=initech`);
    expect(await ended(initech, made.json.id)).toMatchObject({ status: 'COMPLETED' });

    service.cloud.faults.throttle('ReplayPage', 1_000);
    const { json: running } = await initech.call('POST', 'replays', { from: beginning });
    const cancelled = await initech.call('DELETE', `replays/${running.id}`);
    expect(cancelled.json).toMatchObject({ id: running.id, status: 'CANCELLED', replayed: 0 });
    expect((await initech.call('DELETE', `replays/${running.id}`)).json).toEqual(cancelled.json);
    service.cloud.faults.clear();
  });
});

describe('a bulk replay that is badly stated', () => {
  let hooli: WebhookTenant;
  beforeAll(async () => {
    hooli = await webhookTenant(service, 'hooli');
  });

  it.each<[string, unknown]>([
    ['no beginning', {}],
    ['a beginning that is not a time', { from: 'yesterday' }],
    ['an end before the beginning', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
    ['no such module', { from: '2026-01-01T00:00:00Z', module: 'weather' }],
    ['a member too many', { from: '2026-01-01T00:00:00Z', status: 'FAILED' }],
    ['a list', []],
    ['nothing', null],
  ])('is refused: %s', async (_what, body) => {
    const answer = await hooli.call('POST', 'replays', body);
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('invalid-input');
  });

  it.each([
    ['GET', 'replays/rpl_none', 404],
    ['DELETE', 'replays/rpl_none', 404],
    ['GET', 'replays?limit=0', 400],
    ['GET', 'replays?cursor=%00', 400],
    ['PUT', 'replays', 405],
  ])('%s %s answers %i', async (method, path, status) => {
    expect((await hooli.call(method, path)).status).toBe(status);
  });

  it('needs a token', async () => {
    expect((await service.call('/manage/v1/replays')).status).toBe(401);
  });
});
