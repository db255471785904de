import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantOf } from '../../../functions/places/import/place-part.ts';
import { ALL_TENANTS } from '../../../shared/import/import-items.dynamodb.ts';
import { type ImportedObject, newImportJob } from '../../../shared/import/import-job.ts';
import { importList } from '../../../shared/import/import-list.dynamodb.ts';
import { importStore } from '../../../shared/import/import-store.dynamodb.ts';
import { presentImport } from '../../../shared/import/present-import.ts';
import { importReports } from '../../../shared/import/rejection-reports.s3.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Killed, Mortality } from '../../support/faults/mortal-clients.ts';
import { createRecordIndex, type RecordIndex } from '../../support/records/record-index.ts';

const NOW = Date.UTC(2026, 10, 23);
let endpoint: LocalEndpoint;
let index: RecordIndex;
let names = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  index = await createRecordIndex(endpoint, 'listing');
});
afterAll(() => endpoint.close());

const newObject = (folder: string): ImportedObject => {
  names += 1;
  return { key: `${folder}/2026-11-23/file-${names}.ndjson`, etag: 'e', sequencer: String(names), bytes: 900 };
};
const begin = (object: ImportedObject, at = NOW, client = index.table.client) =>
  importStore({ name: index.table.name, client }, { ownerOf: tenantOf }).begin(newImportJob(object, 'places', at));

/** The ids on all pages of an owner. */
async function listed(owner: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await importList(index.table).page(owner, { limit, ...(cursor !== undefined && { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

describe('the imports of an owner', () => {
  it('are listed newest first on pages, without those of others', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push((await begin(newObject('acme'), NOW + n)).id);
    await begin(newObject('other'));
    for (const limit of [1, 2, 100]) expect(await listed('acme', limit)).toEqual(made.toReversed());
    expect(await listed('nobody', 10)).toEqual([]);
  });

  it('are listed once, however often an object is announced', async () => {
    const object = newObject('twice');
    const jobs = await Promise.all([begin(object), begin(object, NOW + 5), begin(object, NOW + 9)]);
    expect(new Set(jobs.map(({ id, startedAt }) => `${id} ${startedAt}`)).size).toBe(1);
    expect(await listed('twice', 10)).toEqual([jobs[0]?.id]);
  });

  it('are limited by the day’s quota: the next one is listed as failed, and never starts', async () => {
    const jobs = importStore(index.table, { ownerOf: tenantOf, perDay: 2 });
    const objects = [newObject('busy'), newObject('busy'), newObject('busy')];
    // Each is announced twice.
    const beginnings = [...objects, ...objects].map((object) => jobs.begin(newImportJob(object, 'places', NOW)));
    const begun = await Promise.all(beginnings);
    const states = new Map(begun.map(({ id, status, error }) => [id, `${status} ${error ?? ''}`]));
    expect([...states.values()].toSorted()).toEqual([
      'FAILED The account has used up its 2 imports of this UTC day. Put the file again tomorrow.',
      'RUNNING ',
      'RUNNING ',
    ]);
    expect(await listed('busy', 10)).toHaveLength(3);
    const running = (await Array.fromAsync(jobs.running())).map(({ id }) => id).filter((id) => states.has(id));
    expect(running).toHaveLength(2);
    expect(await jobs.begin(newImportJob(newObject('calm'), 'places', NOW))).toMatchObject({ status: 'RUNNING' });
    expect(await jobs.begin(newImportJob(newObject('busy'), 'places', NOW + 86_400_000))).toMatchObject({
      status: 'RUNNING',
    });
  });

  it('are listed if they have started, wherever the worker crashed', async () => {
    for (const moment of ['before', 'after'] as const) {
      const folder = `died-${moment}`;
      const object = newObject(folder);
      const first = begin(object, NOW, new Mortality(1, moment).bind(index.table.client));
      await expect(first).rejects.toThrow(Killed);
      expect(await listed(folder, 10)).toHaveLength(moment === 'after' ? 1 : 0);
      const { id } = await begin(object);
      expect(await listed(folder, 10)).toEqual([id]);
    }
  });

  it('are shown in their current state, running and finished, and only to their owner by id', async () => {
    const object = newObject('ending');
    const jobs = importStore(index.table, { ownerOf: tenantOf });
    const before = await begin(object);
    await jobs.progress(before, { bytesRead: 450, lines: 3 }, NOW + 1_000);
    const list = importList(index.table);
    const running = await list.byId('ending', before.id);
    expect(presentImport(running!)).toMatchObject({ status: 'RUNNING', lines: 3, bytesDone: 450, bytes: 900 });
    const updatedAt = new Date(NOW + 2_000).toISOString();
    const counts = { accepted: 6, deleted: 1, rejected: 2 };
    const after = { ...before, status: 'COMPLETED', checkpoint: { byte: 900, line: 9 }, counts, updatedAt } as const;
    expect(await jobs.advance({ before, after })).toBe(true);
    const [ended] = (await list.page('ending', { limit: 5 })).items;
    expect(presentImport(ended!)).toEqual({
      id: before.id,
      type: 'places',
      name: `file-${names}.ndjson`,
      key: object.key,
      status: 'COMPLETED',
      lines: 9,
      imported: 6,
      deleted: 1,
      rejected: 2,
      bytes: 900,
      bytesDone: 900,
      startedAt: new Date(NOW).toISOString(),
      updatedAt,
      completedAt: updatedAt,
    });
    expect(await list.byId('acme', before.id)).toBeUndefined();
    expect(await list.byId(ALL_TENANTS, before.id)).toBeUndefined();
    expect(await list.byId('ending', 'none')).toBeUndefined();
  });

  it('of records are one list for all types', async () => {
    const object = await index.put('businesses/a.ndjson', '{"id":"a","name":"A"}\nnonsense\n');
    const job = await index.run(object);
    const result = await importList(index.table).byId(ALL_TENANTS, job.id);
    expect(result).toMatchObject({ type: 'businesses', status: 'COMPLETED', counts: { accepted: 1, rejected: 1 } });
  });
});

describe('the rejected lines of an import', () => {
  const keyOf = (number: number) => `reports/aaaaaaaaaaaaaaaaaaaa/00000${number}.ndjson`;
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ line: from + n, reason: `no. ${from + n}` }));

  it('are the first hundred of all reports, in order, with a link to each report', async () => {
    const s3 = new S3Client({ ...endpoint.clientOptions(), forcePathStyle: true });
    const put = (number: number, some: readonly object[]) => {
      const Body = some.map((line) => `${JSON.stringify(line)}\n`).join('');
      return s3.send(new PutObjectCommand({ Bucket: 'imports-listing', Key: keyOf(number), Body }));
    };
    await put(1, lines(1, 31));
    await put(3, lines(31, 20_000));
    await put(4, lines(20_000, 20_010));
    const reports = importReports('imports-listing', s3);
    // The second was removed, as old reports are.
    const job = newImportJob({ key: 'demo/file.csv', etag: 'e', sequencer: '1', bytes: 1 }, 'places', NOW);
    const reported = { ...job, reports: [1, 2, 3, 4].map(keyOf) };
    const { rejections, rejectionsUrls = [] } = await reports.report(reported, 0);
    expect(rejections).toEqual(lines(1, 101));
    const after = async (count: number) => (await reports.report(reported, count)).rejections;
    expect(await after(20)).toEqual(lines(21, 121));
    expect(await after(19_950)).toEqual(lines(19_951, 20_010));
    expect(await after(20_009)).toEqual([]);
    expect(rejectionsUrls).toHaveLength(4);
    const whole = await (await fetch(rejectionsUrls[2]!)).text();
    expect(whole.trimEnd().split('\n')).toHaveLength(19_969);
    expect(await reports.report(job, 0)).toEqual({
      ...presentImport(job),
      rejections: [],
    });
  });
});
