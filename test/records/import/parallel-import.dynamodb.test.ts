import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImportJob, newImportJob } from '../../../shared/import/import-job.ts';
import { importStore } from '../../../shared/import/import-store.dynamodb.ts';
import { firstClaim } from '../../../shared/import/part-claim.ts';
import { waitingParts } from '../../../shared/import/waiting-parts.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { createRecordIndex, type RecordIndex } from '../../support/records/record-index.ts';
import { deaths, isThorough } from '../../support/runner/thoroughness.ts';

let endpoint: LocalEndpoint;
let count = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const newIndex = () => createRecordIndex(endpoint, `p${count++}`);
const all = { kind: 'all' } as const;
const WORKERS = 3;
const NOON = Date.parse('2026-11-26T12:00:00Z');
const DAY = 86_400_000;

/** The visible result of an import: the records in order, the job, the report. */
async function visible(index: RecordIndex, job: ImportJob) {
  const { total, records, segments } = await index.search(all);
  const report = (await Promise.all(job.reports.map((key) => index.report(key)))).flat();
  const { status, error, counts, columns } = job;
  const { byte, line } = job.checkpoint;
  return { total, records, segments, status, error, counts, columns, byte, line, report };
}

interface File {
  readonly key: string;
  readonly body: string | Uint8Array;
}

/** An import of this file by one worker after an older file with some of its ids, and the same by several. */
function both({ key, body }: File, limits: { records: number; bytes: number; rejections: number }) {
  const newer = async () => {
    const index = await newIndex();
    await index.run(await index.put('businesses/old.ndjson', OLD));
    return index;
  };
  return {
    expected: async () => {
      const alone = await newer();
      const object = await alone.put(key, body);
      return visible(alone, await alone.run(object, { limits: { ...limits, smallFile: 0 } }));
    },
    actual: async (options: Omit<Parameters<RecordIndex['runAtOnce']>[1], 'limits' | 'workers'> = {}) => {
      const together = await newer();
      const object = await together.put(key, body);
      const run = await together.runAtOnce(object, {
        limits: { ...limits, smallFile: 0 },
        workers: WORKERS,
        ...options,
      });
      return { ...run, visible: await visible(together, run.job) };
    },
  };
}

const shop = (id: number, name: string) => JSON.stringify({ id: `b${id}`, name, city: id % 2 ? 'Austin' : 'Boston' });
const OLD = Array.from({ length: 12 }, (_, i) => `${shop(i, 'Old')}\n`).join('');

/** Lines of few ids, so that later parts replace and delete the records of earlier ones. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(15), fc.string({ maxLength: 6 })).map(([id, name]) => shop(id, `Shop ${name}`)),
  },
  { weight: 1, arbitrary: fc.nat(15).map((id) => JSON.stringify({ id: `b${id}`, _deleted: true })) },
  { weight: 1, arbitrary: fc.constantFrom('', '  ', 'broken', '{"id":"x","colour":"red"}') },
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const ndjson = fc.array(fc.tuple(line, lineEnd), { maxLength: 60 }).map((lines) => lines.flat().join(''));

const cell = fc.oneof(
  fc.constantFrom('Boston', 'a "quoted" word', ''),
  fc.constantFrom('"two\nlines"', '"a ""quote"""', '"with, comma"', '"\r\n\r\n"', '"not closed', '"closed"too early'),
);
const row = fc.tuple(fc.nat(15), cell, cell).map(([id, name, city]) => `b${id},${name},${city}`);
const csv = fc
  .array(
    fc.tuple(fc.oneof({ weight: 8, arbitrary: row }, { weight: 1, arbitrary: fc.constantFrom('', 'b1,x') }), lineEnd),
    {
      maxLength: 60,
    },
  )
  .map((rows) => `id,name,city\n${rows.flat().join('')}`);

/** A file as members of gzip that end anywhere, or as one. */
const zipped = fc.tuple(ndjson, fc.array(fc.nat(3_000), { maxLength: 6 })).map(([text, cuts]) => {
  const bytes = Buffer.from(text);
  const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  return Buffer.concat(ends.map((end, i) => gzipSync(bytes.subarray(ends[i - 1] ?? 0, end))));
});

const file: fc.Arbitrary<File> = fc.oneof(
  ndjson.map((body) => ({ key: 'businesses/new.ndjson', body })),
  csv.map((body) => ({ key: 'businesses/new.csv', body })),
  zipped.map((body) => ({ key: 'businesses/new.ndjson.gz', body })),
);

describe('an import by several workers', () => {
  it('is the same as by one, whatever the file, the size of its parts, the deaths and the repeated messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.record({
          records: fc.integer({ min: 2, max: 9 }),
          bytes: fc.constantFrom(150, 1_000_000),
          rejections: fc.constantFrom(2, 50),
        }),
        fc.infiniteStream(
          fc.oneof(
            fc.constant(undefined),
            fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('before' as const, 'after' as const)),
          ),
        ),
        fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
        async (source, limits, moments, chances) => {
          const { expected, actual } = both(source, limits);
          // Everything ends, since a worker is mortal only so often.
          let mortals = 12;
          const { visible: result } = await actual({
            mortalityOf() {
              const [dieAt, when] = moments.next().value ?? [];
              mortals -= 1;
              return dieAt === undefined || mortals < 0 ? undefined : new Mortality(dieAt, when);
            },
            isRepeated: () => mortals > 0 && chances.next().value === 0,
          });
          expect(result).toEqual(await expected());
        },
      ),
      { numRuns: isThorough ? 300 : 4 },
    );
  });

  const lines = Array.from({ length: 60 }, (_, i) => `${shop(i % 25, `Shop ${i}`)}\n`);
  const limits = { records: 10, bytes: 1_000_000, rejections: 50 };

  it.each([
    ['plain', { key: 'businesses/new.ndjson', body: lines.join('') }],
    ['of many members', { key: 'businesses/new.ndjson.gz', body: Buffer.concat(lines.map((one) => gzipSync(one))) }],
  ])('of a file that is %s keeps as many at work as are set', async (_what, source) => {
    const { expected, actual } = both(source, limits);
    const { most, visible: result } = await actual({ isFull: true });
    expect(most).toBe(WORKERS);
    expect(result).toEqual(await expected());
  });

  it('leaves a gzip file of one member to one worker', async () => {
    const source = { key: 'businesses/new.ndjson.gz', body: gzipSync(lines.join('')) };
    const { expected, actual } = both(source, limits);
    const { most, visible: result } = await actual();
    expect(most).toBe(1);
    expect(result).toEqual(await expected());
  });

  it('shows the beginning of the file as it is after one of its parts, at any time', async () => {
    const index = await newIndex();
    const object = await index.put('businesses/new.ndjson', lines.join(''));
    const seen: string[] = [];
    const looking = { done: false };
    const look = async () => {
      while (!looking.done) seen.push(namesIn((await index.search(all)).records));
    };
    const looks = look();
    await index.runAtOnce(object, { limits: { ...limits, smallFile: 0 }, workers: WORKERS });
    looking.done = true;
    await looks;
    seen.push(namesIn((await index.search(all)).records));
    const beginnings = new Set(
      [0, 10, 20, 30, 40, 50, 60].map((end) => namesIn(lines.slice(0, end).map((one) => JSON.parse(one)))),
    );
    expect(seen.filter((names) => !beginnings.has(names))).toEqual([]);
  });

  it('is completed by as many workers after it was woken, when messages were lost', async () => {
    const index = await newIndex();
    const object = await index.put('businesses/new.ndjson', lines.join(''));
    const options = { limits: { ...limits, smallFile: 0 }, workers: WORKERS };
    const { job: begun } = await index.runAtOnce(object, { ...options, isLost: (claim) => claim?.number === 1 });
    expect(begun).toMatchObject({ status: 'RUNNING', parts: 1 });
    // The third part was sent, too.
    const start = { byte: lines.slice(0, 20).join('').length, line: 20 };
    await waitingParts(index.table).noteSent(begun, { number: 2, start, chain: begun.startedAt });
    const { job: stopped } = await index.runAtOnce(object, options);
    expect(stopped).toMatchObject({ status: 'RUNNING', parts: 2 });
    expect(await importStore(index.table).recordWake(stopped, Date.now() + 600_000)).toBe(true);
    const { job, most } = await index.runAtOnce(object, { ...options, isFull: true });
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: 60 } });
    expect(most).toBe(WORKERS);
  });

  it('fails if its gzip data is damaged', async () => {
    const damaged = Buffer.from(gzipSync(lines.join('')));
    damaged[10] = 0b111;
    const index = await newIndex();
    const object = await index.put('businesses/new.ndjson.gz', Buffer.concat([gzipSync(lines.join('')), damaged]));
    const { job } = await index.runAtOnce(object, { limits: { ...limits, smallFile: 0 }, workers: WORKERS });
    expect(job).toMatchObject({ status: 'FAILED', error: expect.stringContaining('The gzip data is damaged') });
  });

  it('reads a part again that has waited for days, because its objects may be swept', async () => {
    const { table } = await newIndex();
    const waiting = waitingParts(table);
    const object = { key: 'businesses/new.ndjson', etag: 'e', sequencer: '1', bytes: 1 };
    const job = newImportJob(object, 'businesses', NOON);
    const claim = { ...firstClaim(job), number: 1 };
    await waiting.put(job, claim, { unreadable: 'first' }, NOON);
    await waiting.put(job, claim, { unreadable: 'second' }, NOON + DAY);
    expect(await waiting.get(job, claim, NOON + 5 * DAY)).toEqual({ unreadable: 'first' });
    expect(await waiting.get(job, claim, NOON + 5 * DAY + 1)).toBeUndefined();
    await waiting.put(job, claim, { unreadable: 'third' }, NOON + 5 * DAY + 1);
    expect(await waiting.get(job, claim, NOON + 6 * DAY)).toEqual({ unreadable: 'third' });
  });

  it('ends as an undisturbed one, wherever one of its processes dies', async () => {
    let lives = 0;
    let expected: unknown;
    for (const mortality of deaths()) {
      const source = { key: 'businesses/new.ndjson', body: lines.slice(0, isThorough ? 35 : 15).join('') };
      const imports = both(source, limits);
      expected ??= await imports.expected();
      const mortals = [undefined, mortality];
      const { visible: result } = await imports.actual({ mortalityOf: () => mortals.shift() });
      expect(result, String(mortality)).toEqual(expected);
      lives += 1;
    }
    expect(lives).toBeGreaterThan(isThorough ? 10 : 4);
  });
});

/** The last name of each id, by id. */
function namesIn(records: readonly { id: string; name?: unknown }[]): string {
  const last = new Map(records.map(({ id, name }) => [id, name]));
  return JSON.stringify([...last].sort(([one], [other]) => (one < other ? -1 : 1)));
}
