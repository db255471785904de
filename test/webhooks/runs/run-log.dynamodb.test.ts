import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULE_IDS } from '../../../functions/webhooks/modules/module.ts';
import type { LogEntriesOptions } from '../../../functions/webhooks/runs/log-shards.dynamodb.ts';
import { type EndedRun, isFinal, type Run, type RunStatus } from '../../../functions/webhooks/runs/run.ts';
import { LOG_SHARDS, runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { runLog } from '../../../functions/webhooks/runs/run-log.dynamodb.ts';
import { type CountFilter, LogQuery, type RunFilter } from '../../../functions/webhooks/runs/run-log.ts';
import { created, failed, type NewRun } from '../../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import { RESPONSE_BYTES_MAX } from '../../../functions/webhooks/sending/sending.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { Random } from '../../bench/records/generated-businesses.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { laggingTable } from '../../support/faults/lagging-table.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { waiting } from '../../support/webhooks/run-states.ts';
import { webhookDesk } from '../../support/webhooks/webhook-desk.ts';

const TENANT = 'acme';
const RUNS = 400;
const FROM = Date.parse('2026-01-01T00:00:00.000Z');
const STATUSES = ['CREATED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
const CONFIGURATIONS = ['cfg_a', 'cfg_b', 'cfg_c'];
const RECORDS = ['subject request: 1', 'subject request: 11', 'consent receipt: 1', 'a: b: 1', '1'];
const random = new Random(7);

let endpoint: LocalEndpoint;
let table: Table;
const all: Run[] = [];
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
  for (let n = 0; n < RUNS; n += 1) all.push(newRun());
  for (let from = 0; from < RUNS; from += 40) await Promise.all(all.slice(from, from + 40).map(put));
});
afterAll(() => endpoint.close());

function newRun({ status = random.pick(STATUSES), ...own }: Partial<NewRun> & { status?: RunStatus } = {}): Run {
  const run = created({
    id: newId('run'),
    tenant: TENANT,
    eventId: 'event',
    ruleId: 'rule',
    module: random.pick(MODULE_IDS),
    trigger: 'any',
    record: random.pick(RECORDS),
    idempotencyKey: 'key',
    // Several in the same millisecond.
    createdAt: FROM + random.below(RUNS / 4),
    configurationId: random.pick(CONFIGURATIONS),
    configurationName: 'any',
    targetUrl: 'https://example.com/',
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 30,
    maxAttempts: 3,
    ...(status === 'FAILED' && random.below(2) === 0 && { resolvedBy: 'run_replay' }),
    ...own,
  });
  return isFinal(status) ? { ...ended(run), status } : { ...run, status };
}

const put = (run: Run) =>
  runStore({ table, retentionDays: 30 }).create(run, {
    body: Buffer.from('{}'),
    headers: [],
    createdAt: run.createdAt,
  });

const logPlaceOf = (run: Run) => runItem(run, 0)['log'];

const ended = (run: Run): EndedRun => ({ ...failed(run, 'any', run.createdAt)!, status: 'COMPLETED' });

/** Newest first, by filtering a list of all runs. */
function naive(
  runs: readonly Run[],
  { module, status, configuration, from, to, record, resolved }: RunFilter,
): string[] {
  return runs
    .filter((run) => module === undefined || run.module === module)
    .filter((run) => status === undefined || run.status === status)
    .filter((run) => configuration === undefined || run.configurationId === configuration)
    .filter((run) => resolved === undefined || (run.status === 'FAILED' && (run.resolvedBy !== undefined) === resolved))
    .filter((run) => from === undefined || run.createdAt >= from)
    .filter((run) => to === undefined || run.createdAt < to)
    .filter((run) => record === undefined || run.record === record || run.record.endsWith(`: ${record}`))
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

interface Paging {
  readonly entries?: LogEntriesOptions;
  /** Happens between two pages. */
  readonly between?: () => Promise<void>;
}

async function paged(filter: RunFilter, limit: number, { entries, between }: Paging = {}) {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; ; pages += 1) {
    if (pages > 2 * RUNS) throw new Error('The pages do not end.');
    const page = await runLog(table, entries).list(TENANT, filter, { limit, ...(cursor !== undefined && { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === undefined) return ids;
    await between?.();
  }
}

const moment = fc.integer({ min: FROM - 5, max: FROM + RUNS / 4 + 5 });
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<RunFilter> = fc.record({
  module: maybe(fc.constantFrom(...MODULE_IDS)),
  status: maybe(fc.constantFrom(...STATUSES)),
  resolved: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
  configuration: maybe(fc.constantFrom(...CONFIGURATIONS, 'cfg_none')),
  from: maybe(moment),
  to: maybe(moment),
  record: maybe(fc.constantFrom(...RECORDS, '1', '11', 'b: 1', 'subject request', 'none')),
});

describe('the pages of the log', () => {
  it('together hold exactly the runs that pass the filters, newest first, whatever the limit', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 7, max: 100 }), async (filter, limit) => {
        expect(await paged(filter, limit)).toEqual(naive(all, filter));
      }),
      { numRuns: isThorough ? 50 : 15 },
    );
  });

  it('lead on to the only run that a filter lets through, wherever a page ends', async () => {
    // The log is one of several lists that are merged. All but one end before the run is found.
    const tenant = 'rare';
    const runs = Array.from({ length: 120 }, (_, n) =>
      newRun({ tenant, createdAt: FROM + n, status: n === 0 ? 'FAILED' : 'COMPLETED' }),
    );
    const list = logPlaceOf(runs[0]!);
    await Promise.all(runs.filter((run, n) => logPlaceOf(run) === list || n > 110).map(put));
    for (let entriesMax = 6; entriesMax <= 36; entriesMax += isThorough ? 1 : 3) {
      const log = runLog(table, { entriesMax, entriesPerRead: 1 });
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await log.list(tenant, { status: 'FAILED' }, { limit: 5, ...(cursor && { cursor }) });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(ids, `${entriesMax} entries`).toEqual([runs[0]?.id]);
    }
  });

  it('hold every run once when pages are as short as can be', async () => {
    const filter = { to: FROM + 12 };
    expect(await paged(filter, 1)).toEqual(naive(all, filter));
  });

  it('may end early where a filter lets few through, and have a next page until all are found', async () => {
    const options = fc.record({
      entriesMax: fc.integer({ min: 1, max: 100 }),
      entriesPerRead: fc.integer({ min: 1, max: 30 }),
      entriesFirst: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(filters, options, fc.integer({ min: 7, max: 100 }), async (filter, entries, limit) => {
        expect(await paged(filter, limit, { entries })).toEqual(naive(all, filter));
      }),
      { numRuns: isThorough ? 40 : 10 },
    );
    const { items, nextCursor } = await runLog(table, { entriesMax: 8, entriesPerRead: 1 }).list(
      TENANT,
      { configuration: 'cfg_none' },
      { limit: 10 },
    );
    expect([items, typeof nextCursor]).toEqual([[], 'string']);
  });

  it('lead on to the end however few entries one of them may read', async () => {
    const entries = { entriesMax: 1, entriesPerRead: 1, entriesFirst: 1 };
    expect(await paged({}, 7, { entries })).toEqual(naive(all, {}));
  });

  it('read at most one read of each shard more than a page may, and counts not one entry more', async () => {
    let scanned = 0;
    const counting =
      (next: (args: unknown) => Promise<{ output: { ScannedCount?: number } }>) => async (args: unknown) => {
        const result = await next(args);
        scanned += result.output.ScannedCount ?? 0;
        return result;
      };
    const counted = { name: table.name, client: withMiddleware(table.client, 'counting', counting) };
    const entries = { entriesMax: 80, entriesPerRead: 20, entriesFirst: 5 };
    await runLog(counted, entries).list(TENANT, { configuration: 'cfg_none' }, { limit: 10 });
    expect(scanned).toBeGreaterThanOrEqual(80);
    expect(scanned).toBeLessThan(80 + LOG_SHARDS * 20);
    scanned = 0;
    const { reached } = await runLog(counted, { entriesMax: 80 }).outcomes(TENANT, {});
    expect([scanned, reached === undefined]).toEqual([80, false]);
  });

  it('tell how far they have looked, even where they are empty', async () => {
    const log = runLog(table, { entriesMax: 80, entriesPerRead: 5 });
    const reached: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.list(TENANT, { configuration: 'cfg_none' }, { limit: 10, ...(cursor && { cursor }) });
      expect(page.items).toEqual([]);
      expect(page.reached === undefined).toBe(page.nextCursor === undefined);
      if (page.reached !== undefined) reached.push(page.reached);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(reached.length).toBeGreaterThan(2);
    expect(reached).toEqual(reached.toSorted().toReversed());
    expect(Date.parse(reached[0] ?? '')).toBeLessThanOrEqual(FROM + RUNS);
    const first = await log.list(TENANT, {}, { limit: 10 });
    expect(first.reached).toBe(new Date(first.items.at(-1)?.createdAt ?? 0).toISOString());
  });

  it('count a failed replay neither as resolved nor as unresolved: its original is', async () => {
    const tenant = 'unresolved-replays';
    const original = newRun({ tenant, createdAt: FROM, status: 'FAILED', resolvedBy: undefined });
    await put(original);
    await put(newRun({ tenant, createdAt: FROM + 1, status: 'FAILED', resolvedBy: undefined, replayOf: original.id }));
    const listed = async (resolved: boolean | undefined) =>
      (await runLog(table).list(tenant, { status: 'FAILED', resolved }, { limit: 10 })).items.length;
    expect([await listed(false), await listed(true), await listed(undefined)]).toEqual([1, 0, 2]);
  });

  it('hold unresolved runs in full pages, however many resolved ones lie between them', async () => {
    const tenant = 'sifted';
    const runs = Array.from({ length: 150 }, (_, n) =>
      newRun({ tenant, createdAt: FROM + n, status: 'FAILED', resolvedBy: n % 50 === 0 ? undefined : 'run_replay' }),
    );
    await Promise.all(runs.map(put));
    const list = (limit: number, cursor?: string) =>
      runLog(table).list(tenant, { resolved: false }, { limit, ...(cursor && { cursor }) });
    const { items, nextCursor, reached } = await list(2);
    expect(items.map(({ id }) => id)).toEqual([runs[100]?.id, runs[50]?.id]);
    // The second read took a hundred runs.
    expect(reached).toBe(new Date(FROM + 48).toISOString());
    expect((await list(2, nextCursor)).items.map(({ id }) => id)).toEqual([runs[0]?.id]);
  });

  it('hold failed runs at once, however many others are newer', async () => {
    const tenant = 'mostly-completed';
    const old = [0, 1].map((createdAt) => newRun({ tenant, createdAt, status: 'FAILED' }));
    const others = Array.from({ length: 60 }, (_, n) => newRun({ tenant, createdAt: FROM + n, status: 'COMPLETED' }));
    await Promise.all([...old, ...others].map(put));
    const log = runLog(table, { entriesMax: 10, entriesPerRead: 2 });
    const { items, nextCursor } = await log.list(tenant, { status: 'FAILED' }, { limit: 10 });
    expect([items.map(({ id }) => id), nextCursor]).toEqual([old.map(({ id }) => id).toReversed(), undefined]);
  });

  it('neither lose nor repeat a run while new ones come in', async () => {
    const before = naive(all, { configuration: 'cfg_a' });
    const ids = await paged({ configuration: 'cfg_a' }, 10, {
      between: async () => {
        const run = newRun({ configurationId: 'cfg_a', createdAt: FROM + RUNS });
        all.push(run);
        await put(run);
      },
    });
    expect(ids).toEqual(before);
    expect(await paged({ configuration: 'cfg_a' }, 10)).toEqual(naive(all, { configuration: 'cfg_a' }));
  });

  it('show a run as it is now, and no longer under a state that it has left', async () => {
    const run = newRun({ status: 'IN_PROGRESS', configurationId: 'cfg_changing' });
    await put(run);
    const under = (status: RunStatus) => paged({ configuration: 'cfg_changing', status }, 10);
    expect([await under('IN_PROGRESS'), await under('COMPLETED')]).toEqual([[run.id], []]);
    const after = ended(run);
    await runStore({ table, retentionDays: 30 }).replace(after);
    all.push(after);
    expect([await under('IN_PROGRESS'), await under('COMPLETED')]).toEqual([[], [run.id]]);
  });

  it('are of one tenant, and their cursors open no other list', async () => {
    const { nextCursor } = await runLog(table).list(TENANT, {}, { limit: 5 });
    expect(await runLog(table).list('other', {}, { limit: 5 })).toEqual({ items: [] });
    await expect(runLog(table).list('other', {}, { limit: 5, cursor: nextCursor! })).rejects.toMatchObject({
      code: 'invalid-cursor',
    });
  });
});

describe('the outcomes of runs', () => {
  const expected = (filter: CountFilter) => {
    const byId = new Map(all.map((run) => [run.id, run]));
    return naive(all, filter).map((id) => {
      const { createdAt, status } = byId.get(id)!;
      return { createdAt, outcome: isFinal(status) ? status : undefined };
    });
  };
  const countFilters = filters.map(({ module, configuration, from, to }) => ({ module, configuration, from, to }));

  it('are those of exactly the runs that pass the filters', async () => {
    await fc.assert(
      fc.asyncProperty(countFilters, async (filter) => {
        expect(await runLog(table).outcomes(TENANT, filter)).toEqual({ runs: expected(filter) });
      }),
      { numRuns: isThorough ? 50 : 10 },
    );
    expect(await runLog(table).outcomes('other', {})).toEqual({ runs: [] });
  });

  it('are those of the newest runs, down to a stated time, if a call may not read all', async () => {
    await fc.assert(
      fc.asyncProperty(countFilters, fc.integer({ min: 1, max: 300 }), async (filter, entriesMax) => {
        const { runs, reached } = await runLog(table, { entriesMax }).outcomes(TENANT, filter);
        const newest = expected(filter);
        expect(runs).toEqual(newest.slice(0, runs.length));
        if (reached === undefined) expect(runs).toHaveLength(newest.length);
        else expect(newest.slice(runs.length).every(({ createdAt }) => createdAt <= reached)).toBe(true);
      }),
      { numRuns: isThorough ? 50 : 10 },
    );
    expect((await runLog(table, { entriesMax: 16 }).outcomes(TENANT, {})).reached).toBeDefined();
  });
});

describe('the replays of a run', () => {
  it('are found by it as soon as they are made, newest first, page by page, in its tenant only', async () => {
    const { id: configurationId } = await webhookDesk({ table }).configuration({ tenant: 'replays' });
    const [original, other] = [1, 2].map((n) =>
      newRun({ tenant: 'replays', status: 'FAILED', resolvedBy: undefined, createdAt: FROM + n, configurationId }),
    ) as [Run, Run];
    await Promise.all([original, other].map(put));
    const store = runStore({ table, retentionDays: 30 });
    const replays: Run[] = [];
    for (const [n, of] of [original, other, original, original].entries()) {
      const facts = { tenant: 'replays', configurationId, replayOf: of.id, createdAt: FROM + 10 + n };
      const replay = waiting(newRun({ ...facts, status: 'CREATED' }));
      const payload = { body: Buffer.from('{}'), headers: [], createdAt: replay.createdAt };
      expect(await store.createReplay(of, replay, payload)).toBe('created');
      replays.unshift(replay);
    }
    const log = runLog(laggingTable(table));
    const ids = (filter: RunFilter, tenant = 'replays', page = { limit: 10 }) =>
      log.list(tenant, { replayOf: original.id, ...filter }, page).then(({ items }) => items.map(({ id }) => id));
    const own = replays.filter(({ replayOf }) => replayOf === original.id).map(({ id }) => id);
    expect(own).toHaveLength(3);
    expect(await ids({})).toEqual(own);
    expect(await ids({}, TENANT)).toEqual([]);
    expect(await ids({ replayOf: 'run_none' })).toEqual([]);
    expect(await ids({ status: 'FAILED' })).toEqual([]);
    expect(await ids({ status: 'CREATED', to: FROM + 13 })).toEqual(own.slice(1));
    const listedIds: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.list('replays', { replayOf: original.id }, { limit: 1, ...(cursor && { cursor }) });
      listedIds.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(listedIds).toEqual(own);
    expect((await log.details(original))?.run).toMatchObject({ replays: 3, replayedBy: own.toReversed() });
  });

  it('are found by the bulk replay that made them, between all other runs', async () => {
    const runs = Array.from({ length: 30 }, (_, n) =>
      newRun({ tenant: 'bulk', createdAt: FROM + n, ...(n % 9 === 0 && { bulkReplay: n < 20 ? 'bulk_1' : 'bulk_2' }) }),
    );
    await Promise.all(runs.map(put));
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await runLog(table).list('bulk', { bulkReplay: 'bulk_1' }, { limit: 2, ...(cursor && { cursor }) });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(ids).toEqual([runs[18], runs[9], runs[0]].map((run) => run?.id));
    expect((await runLog(table).list('bulk', { bulkReplay: 'bulk_3' }, { limit: 2 })).items).toEqual([]);
  });
});

describe('the query of the log', () => {
  it('asks of failed runs only whether they are resolved', () => {
    expect(LogQuery.parse({ resolved: 'false' })).toEqual({ limit: 50, resolved: false });
    expect(LogQuery.parse({ resolved: 'true', status: 'FAILED' }).resolved).toBe(true);
    for (const query of [{ resolved: 'yes' }, { resolved: 'true', status: 'COMPLETED' }, { replayOf: '' }]) {
      expect(LogQuery.safeParse(query).success).toBe(false);
    }
  });
});

describe('the details of a run', () => {
  it('hold its payload and every attempt, even when one read does not return them all', async () => {
    const run = newRun({ tenant: 'large' });
    const store = runStore({ table, retentionDays: 30 });
    const payload = { body: Buffer.alloc(380_000, 'x'), headers: [], createdAt: run.createdAt };
    await store.create(run, payload);
    const places = Array.from({ length: 20 }, (_, n) => [0, 1, 2].map((part) => ({ attempt: n + 1, part }))).flat();
    const body = { bytes: Buffer.alloc(RESPONSE_BYTES_MAX, 'y'), isTruncated: false };
    const attempts = places.map((place) => ({
      ...place,
      targetUrl: run.targetUrl,
      startedAt: FROM,
      outcome: 'http_status' as const,
      body,
    }));
    await Promise.all(attempts.map((attempt) => store.addAttempt(run, attempt)));
    const details = await runLog(table).details(run);
    expect(details?.run).toEqual(run);
    expect(details?.payload?.body).toHaveLength(380_000);
    expect(details?.attempts.map(({ attempt, part }) => ({ attempt, part }))).toEqual(places);
  });

  it('can be read as soon as the run is made', async () => {
    const run = newRun({ tenant: 'hasty' });
    await put(run);
    expect(await runLog(laggingTable(table)).details(run)).toMatchObject({ run: { id: run.id }, attempts: [] });
  });
});
