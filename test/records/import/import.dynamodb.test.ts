import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SegmentRef } from '../../../functions/records/segments/format/segment-ref.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Killed, Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { createRecordIndex, type RecordIndex } from '../../support/records/record-index.ts';
import { deaths, isThorough } from '../../support/runner/thoroughness.ts';

let endpoint: LocalEndpoint;
let count = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const newIndex = () => createRecordIndex(endpoint, `n${count++}`);
const all = { kind: 'all' } as const;
const limits = { records: 10, bytes: 1_000_000, rejections: 5, smallFile: 0 };
const ndjson = (lines: readonly unknown[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

/** The visible result of an import: the records in order, the counts, the report. */
async function visible(index: RecordIndex, job: Awaited<ReturnType<RecordIndex['run']>>) {
  const { total, records } = await index.search(all);
  const report = (await Promise.all(job.reports.map((key) => index.report(key)))).flat();
  return { total, records, counts: job.counts, status: job.status, report };
}

async function imported(key: string, body: string | Uint8Array, map?: unknown) {
  const index = await newIndex();
  if (map !== undefined) await index.put(`${key}.map.json`, JSON.stringify(map));
  return visible(index, await index.run(await index.put(key, body)));
}

/** Makes these the segments of the index again: the segments themselves never change, and are kept for days. */
async function backTo({ index }: RecordIndex, segments: readonly SegmentRef[]) {
  const base = await index.current('businesses');
  const written = { byImports: segments.reduce((sum, { records }) => sum + records, 0), byMerges: 0 };
  expect(await index.commit({ type: 'businesses', base, segments, written, now: Date.now() })).toBe('committed');
}

const people = (count: number, change = '') =>
  Array.from({ length: count }, (_, i) => ({
    id: `b${String(i).padStart(3, '0')}`,
    name: `Shop ${i}${change}`,
    city: i % 2 ? 'Austin' : 'Boston',
  }));

describe('an import', () => {
  it('brings NDJSON in, and a second one replaces and deletes by id', async () => {
    const index = await newIndex();
    await index.run(await index.put('businesses/a.ndjson', ndjson(people(5))));
    const job = await index.run(
      await index.put(
        'businesses/b.ndjson',
        ndjson([
          { id: 'b001', name: 'New name' },
          { id: 'b002', _deleted: true },
          { id: 'absent', _deleted: true },
        ]),
      ),
    );
    expect(job.counts).toEqual({ accepted: 1, deleted: 2, rejected: 0 });
    const { total, records } = await index.search(all);
    expect(total).toBe(4);
    expect(records.find(({ id }) => id === 'b001')).toEqual({ id: 'b001', name: 'New name' });
    expect(records.map(({ id }) => id)).not.toContain('b002');
    expect((await index.search({ kind: 'term', path: 'name', term: 'shop' })).total).toBe(3);
  });

  it('takes the last of two lines with the same id, within a part and across parts', async () => {
    const lines = [
      ...people(25),
      { id: 'b003', name: 'Later' },
      { id: 'b024', _deleted: true },
      { id: 'b024', name: 'Back again' },
    ];
    const index = await newIndex();
    await index.run(await index.put('businesses/a.ndjson', ndjson(lines)), { limits });
    const { records, total } = await index.search(all);
    expect(total).toBe(25);
    expect(
      records
        .filter(({ id }) => id === 'b003' || id === 'b024')
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ name }) => name),
    ).toEqual(['Later', 'Back again']);
  });

  it('reports every line that it rejects, by number and reason, and keeps the rest', async () => {
    const { report, records, counts, status } = await imported(
      'businesses/a.ndjson',
      Buffer.concat([
        Buffer.from('\uFEFF{"id":"good1","name":"A"}\r\n'),
        Buffer.from('not json\r{"id":"good2","latitude":"north"}\n'),
        Buffer.from('{"id":"good3","colour":"red"}\n\n'),
        Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
        Buffer.from('["a list"]\n{"id":"has space","name":"x"}\n{"_deleted":true}\n{}\n{"id":"good4","name":"D"}'),
      ]),
    );
    expect(status).toBe('COMPLETED');
    expect(records.map(({ id }) => id).sort()).toEqual(['good1', 'good4']);
    expect(counts).toEqual({ accepted: 2, deleted: 0, rejected: 8 });
    expect(report.map(({ line }) => line)).toEqual([2, 3, 4, 6, 7, 8, 9, 10]);
    expect(report.map(({ reason }) => reason).join('\n')).toMatch(
      /not valid JSON\n.*latitude.*\n.*colour does not exist in business schema.*\n.*not UTF-8.*\n.*JSON object.*\n.*id.*\n.*deletion needs the id.*\n.*empty/,
    );
  });

  it('gives a record without an id one that depends on its content alone', async () => {
    const index = await newIndex();
    const file = ndjson([{ name: 'A' }, { name: 'B' }, { name: 'A' }]);
    await index.run(await index.put('businesses/a.ndjson', file));
    await index.run(await index.put('businesses/b.ndjson', file));
    const { total, records } = await index.search(all);
    expect(total).toBe(2);
    for (const { id } of records) expect(id).toMatch(/^[A-Za-z0-9_-]{20}$/);
  });

  it('reads CSV by an import map, with dirt reported by line', async () => {
    const csv =
      'Provider ID,Hospital Name,Location,Rooms\r\n1,"St. Mary, ""Old""",x,12\r\n2,Bad rooms,x,many\r\n3,short\r\n4,Last,"two\nlines",\r\n';
    const map = {
      columns: { 'Provider ID': 'id', 'Hospital Name': 'name', Location: null, Rooms: 'numRoom' },
      constants: { country: 'US' },
    };
    const { records, report, counts } = await imported('businesses/a.csv', csv, map);
    expect(counts).toEqual({ accepted: 2, deleted: 0, rejected: 2 });
    expect(records).toEqual([
      { country: 'US', name: 'St. Mary, "Old"', numRoom: 12, id: '1' },
      { country: 'US', name: 'Last', id: '4' },
    ]);
    expect(report.map(({ line }) => line)).toEqual([3, 4]);
  });

  it('is the same for a gzip file, also when it resumes in the middle', async () => {
    const file = ndjson(people(35));
    const plain = await imported('businesses/a.ndjson', file);
    const index = await newIndex();
    const object = await index.put('businesses/a.ndjson.gz', gzipSync(file));
    const mortality = new Mortality(25, 'before');
    await expect(index.run(object, { limits, mortality })).rejects.toThrow(Killed);
    const zipped = await visible(index, await index.run(object, { limits }));
    expect(zipped.records.length).toBe(35);
    expect(new Set(zipped.records.map(({ id }) => id))).toEqual(new Set(plain.records.map(({ id }) => id)));
  });

  it.each([
    ['a truncated gzip', gzipSync(ndjson(people(5_000))).subarray(0, -20), 'damaged or cut short'],
    ['a damaged gzip', Buffer.concat([gzipSync('x').subarray(0, 12), Buffer.from('garbage')]), 'damaged or cut short'],
  ])('fails with a clear sentence for %s, and imports nothing of it', async (_what, body, sentence) => {
    const index = await newIndex();
    const job = await index.run(await index.put('businesses/a.ndjson.gz', body));
    expect(job).toMatchObject({ status: 'FAILED', error: expect.stringContaining(sentence) });
    expect((await index.search(all)).total).toBe(0);
  });

  it.each([
    ['businesses/a.csv', 'name,name\n1,2\n', undefined, 'names the column "name" twice'],
    ['businesses/a.csv', Buffer.from([0xff, 0x00, 0xfe, 0x0a]), undefined, 'header of the file cannot be read'],
    ['businesses/a.ndjson', '{"id":"a"}\n', 'not a map', 'import map cannot be used'],
    [
      'businesses/a.csv',
      'A\n1\n',
      { columns: { A: 'nme' } },
      'nme does not exist in business schema; did you mean name',
    ],
    ['businesses/a.ndjson', '{"id":"a"}\n', { constants: { nme: 'x' } }, 'nme does not exist in business schema'],
  ])('fails for %s %j', async (key, body, map, sentence) => {
    const index = await newIndex();
    if (map !== undefined) await index.put(`${key}.map.json`, JSON.stringify(map));
    const job = await index.run(await index.put(key, body));
    expect(job).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining(sentence),
      counts: { rejected: 0 },
      reports: [],
    });
  });

  const megabytes = isThorough ? 50 : 10;
  it(`rejects a line of ${megabytes} MB and keeps its neighbours`, async () => {
    const long = JSON.stringify({ id: 'long', name: 'x'.repeat(megabytes * 1024 * 1024) });
    const { report, records } = await imported(
      'businesses/a.ndjson',
      `{"id":"a","name":"A"}\n${long}\n{"id":"b","name":"B"}\n`,
    );
    expect(report).toEqual([{ line: 2, reason: 'the line is longer than 4 MiB' }]);
    expect(records.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('rejects every line of binary rubbish without failing itself', async () => {
    const rubbish = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 0xff));
    const { status, counts, records } = await imported('businesses/a.ndjson', rubbish);
    expect(status).toBe('COMPLETED');
    expect(records).toEqual([]);
    expect(counts.rejected).toBeGreaterThan(10);
  });

  it('of an empty file is complete at once', async () => {
    expect(await imported('businesses/a.ndjson', '')).toMatchObject({ status: 'COMPLETED', total: 0 });
    expect(await imported('businesses/a.csv', '')).toMatchObject({ status: 'COMPLETED', total: 0 });
  });

  it('fails when its object was replaced before it was read', async () => {
    const index = await newIndex();
    const object = await index.put('businesses/a.ndjson', ndjson(people(3)));
    await index.put('businesses/a.ndjson', ndjson(people(2)));
    expect(await index.run(object)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('replaced or removed'),
    });
  });
});

describe('an import that is disturbed', () => {
  const file = ndjson([
    ...people(12),
    'broken',
    { id: 'b001', name: 'Replaced' },
    { id: 'b002', _deleted: true },
    ...people(8, ' again').slice(5),
  ]);

  async function before(index: RecordIndex) {
    await index.run(await index.put('businesses/old.ndjson', ndjson(people(6, ' old'))));
    return index.put('businesses/new.ndjson', file);
  }

  it('ends as an undisturbed one, wherever its process dies', async () => {
    const calm = await newIndex();
    const calmMortality = new Mortality();
    const calmJob = await calm.run(await before(calm), { limits, mortality: calmMortality });
    const expected = await visible(calm, calmJob);
    expect(expected).toMatchObject({
      total: 11,
      status: 'COMPLETED',
      counts: { accepted: 16, deleted: 1, rejected: 1 },
    });
    expect(calmMortality.calls).toBeGreaterThan(15);

    const index = await newIndex();
    await before(index);
    const { segments } = await index.index.current('businesses');
    let lives = 0;
    for (const mortality of deaths()) {
      await backTo(index, segments);
      const object = await index.put(`businesses/life-${lives}.ndjson`, file);
      await index.run(object, { limits, mortality }).catch(unlessKilled);
      expect(await visible(index, await index.run(object, { limits })), String(mortality)).toEqual(expected);
      lives += 1;
      // The message comes once more although the import is done.
      if (!isThorough && mortality.diedAt !== undefined) continue;
      expect(await visible(index, await index.run(object, { limits }))).toEqual(expected);
    }
    expect(lives).toBeGreaterThan(isThorough ? 2 * calmMortality.calls : 8);
  });

  it('is done once when several workers do it at the same time', async () => {
    const calm = await newIndex();
    const expected = await visible(calm, await calm.run(await before(calm), { limits }));
    const index = await newIndex();
    const object = await before(index);
    await Promise.all(Array.from({ length: 4 }, () => index.run(object, { limits }).catch(() => undefined)));
    const records = await visible(index, await index.run(object, { limits }));
    expect(records).toEqual(expected);
  });

  it('loses nothing to other imports and merges at the same time', async () => {
    const count = isThorough ? 6 : 4;
    const index = await newIndex();
    const files = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        index.put(`businesses/f${i}.ndjson`, ndjson(people(20).map((one) => ({ ...one, id: `f${i}-${one.id}` })))),
      ),
    );
    const shared = await Promise.all(
      [0, 1].map((i) => index.put(`businesses/s${i}.ndjson`, ndjson(people(15, ` by ${i}`)))),
    );
    await Promise.all([
      ...[...files, ...shared].map((object) => index.run(object, { limits })),
      (async () => {
        for (let i = 0; i < 6; i += 1) await index.merge('businesses');
      })(),
    ]);
    while (await index.merge('businesses'));
    const { total, records, segments } = await index.search(all);
    expect(total).toBe(count * 20 + 15);
    expect(new Set(records.map(({ id }) => id)).size).toBe(total);
    // How many are left depends on timing: a large one beside small ones stays. Each file made at least one.
    expect(segments).toBeLessThan(files.length + shared.length);
  });

  it('leaves few segments, when imports of one size come one after another and are merged', async () => {
    const index = await newIndex();
    for (let i = 0; i < 8; i += 1) {
      const object = await index.put(
        `businesses/g${i}.ndjson`,
        ndjson(people(20).map((one) => ({ ...one, id: `g${i}-${one.id}` }))),
      );
      await index.run(object, { limits });
    }
    while (await index.merge('businesses'));
    const { total, segments } = await index.search(all);
    expect(total).toBe(8 * 20);
    expect(segments).toBeLessThan(4);
  });
});

describe('a merge', () => {
  it('changes no result, wherever its process dies, and is done by the next try', async () => {
    const prepared = async () => {
      const index = await newIndex();
      for (let i = 0; i < 4; i += 1) {
        await index.run(
          await index.put(
            `businesses/${i}.ndjson`,
            ndjson(people(8 - i).map((one) => ({ ...one, id: `${one.id}-${i % 3}` }))),
          ),
        );
      }
      return index;
    };
    const index = await prepared();
    const expected = await index.search(all);
    expect(expected.segments).toBe(4);
    const { segments } = await index.index.current('businesses');
    let lives = 0;
    for (const mortality of deaths()) {
      await backTo(index, segments);
      await index.merge('businesses', mortality).catch(unlessKilled);
      expect((await index.search(all)).records, String(mortality)).toEqual(expected.records);
      await index.merge('businesses');
      expect(await index.search(all)).toMatchObject({ segments: 1, records: expected.records });
      lives += 1;
    }
    expect(lives).toBeGreaterThan(isThorough ? 40 : 3);
  });
});
