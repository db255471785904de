import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileKey, planKey, requestKey } from '../../../functions/records/download/download-items.dynamodb.ts';
import { FILE_RECORDS } from '../../../functions/records/download/result-file.ts';
import type { DownloadWork } from '../../../functions/records/download/run-download.ts';
import { wakeDownloads } from '../../../functions/records/download/wake-downloads.ts';
import { dataTokenKey } from '../../../shared/auth/data-token-items.dynamodb.ts';
import { getItem, type Key, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Interlude, Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { createDownloadDesk, type DownloadDesk } from '../../support/records/download-desk.ts';
import { createRecordIndex, type RecordIndex } from '../../support/records/record-index.ts';
import { deaths, isThorough } from '../../support/runner/thoroughness.ts';

const RECORDS = 21_000;
const MINUTE = 60_000;
const later = (minutes: number) => () => Date.now() + minutes * MINUTE;

let endpoint: LocalEndpoint;
let index: RecordIndex;
let desk: DownloadDesk;
/** Downloads from an index of a few records, none of which has fallen silent. */
let small: DownloadDesk;
let tokens = 0;

const names = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const id = `b${String(from + i).padStart(6, '0')}`;
    return JSON.stringify({ id, name: `Name ${from + i}`, city: (from + i) % 2 === 0 ? 'Even' : 'Odd' });
  }).join('\n');

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  index = await createRecordIndex(endpoint, 'downloads');
  await index.run(await index.put('businesses/a.ndjson', names(0, 12_000)));
  await index.run(await index.put('businesses/b.ndjson', names(12_000, RECORDS - 12_000)));
  desk = await createDownloadDesk(endpoint, index, 'downloads');
  const few = await createRecordIndex(endpoint, 'few');
  await few.run(await few.put('businesses/a.ndjson', names(0, 40)));
  small = await createDownloadDesk(endpoint, few, 'few');
});
afterAll(() => endpoint.close());

async function account(credits = 1_000_000, at = desk): Promise<string> {
  tokens += 1;
  const tokenId = `tok_${tokens}`;
  await at.account(tokenId, credits);
  return tokenId;
}

/** The contents of all files of a token, in the order of their numbers. */
async function delivered(tokenId: string, at = desk): Promise<string> {
  const files = [...(await at.files(tokenId))];
  const numberOf = (name: string) => Number(/_(\d+)\./.exec(name)?.[1]);
  return files
    .toSorted(([a], [b]) => numberOf(a) - numberOf(b))
    .map(([, text]) => text)
    .join('');
}

async function undisturbed(parameters: Record<string, string>, at = desk): Promise<string> {
  const tokenId = await account(1_000_000, at);
  const { sent } = await at.start(tokenId, parameters);
  await at.runAll(sent);
  return delivered(tokenId, at);
}

describe('a download', () => {
  it('delivers every match once, in files of 10,000, and takes them from the account when it starts', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: '*:*' });
    expect(request).toMatchObject({ status: 'STARTED', numFound: RECORDS, numRequested: RECORDS, numDownloaded: 0 });
    expect(await desk.credits(tokenId)).toBe(1_000_000 - RECORDS);
    await desk.runAll(sent);
    expect(await desk.request(request)).toMatchObject({ status: 'COMPLETED', numDownloaded: RECORDS, error: '' });
    const files = await desk.files(tokenId);
    expect([...files.keys()]).toEqual([1, 2, 3].map((n) => `${request.id}_${n}.txt`));
    const lines = [...files.values()].map((text) => text.split('\n').slice(0, -1));
    expect(lines.map(({ length }) => length)).toEqual([FILE_RECORDS, FILE_RECORDS, 1_000]);
    expect(lines.flat()).toEqual((await index.search({ kind: 'all' })).records.map((record) => JSON.stringify(record)));
    expect(await desk.credits(tokenId)).toBe(1_000_000 - RECORDS);
  });

  it('delivers the first records when fewer are requested, and no more than exist', async () => {
    const tokenId = await account();
    const some = await desk.start(tokenId, { q: 'city:odd', records: '12' });
    await desk.runAll(some.sent);
    expect((await delivered(tokenId)).split('\n')).toHaveLength(13);
    const many = await desk.start(tokenId, { q: 'city:odd', records: '99999999' });
    expect(many.request).toMatchObject({ records: '99999999', numFound: RECORDS / 2, numRequested: RECORDS / 2 });
  });

  it('of nothing, or of a count that is not positive, is refused and takes nothing', async () => {
    const tokenId = await account();
    for (const [q, records] of [
      ['name:nowhere', ''],
      ['*:*', '0'],
    ] as const) {
      await expect(desk.start(tokenId, { q, records })).rejects.toMatchObject({
        status: 400,
        detail: 'numRequested cannot be <= 0',
      });
    }
    expect(await desk.credits(tokenId)).toBe(1_000_000);
    expect(await desk.requests(tokenId)).toEqual([]);
  });

  it('is not changed by an import or a merge that come while it runs', async () => {
    const tokenId = await account();
    const other = await createRecordIndex(endpoint, 'moving');
    await other.run(await other.put('businesses/a.ndjson', names(0, FILE_RECORDS + 500)));
    const moving = await createDownloadDesk(endpoint, other, 'moving');
    await moving.account(tokenId, 100_000);
    const { records: before } = await other.search({ kind: 'all' });
    const { sent } = await moving.start(tokenId, { q: 'city:odd OR city:even' });
    const [first, second] = await moving.run(sent[0]!);
    await moving.run(first!);
    for (const part of [0, 1, 2, 3])
      await other.run(await other.put(`businesses/${part}.ndjson`, names(part * 50, 200)));
    expect(await other.merge('businesses')).toBeDefined();
    await other.run(await other.put('businesses/gone.ndjson', JSON.stringify({ id: 'b000100', _deleted: true })));
    await moving.runAll([second!]);
    const text = [...(await moving.files(tokenId)).values()].join('');
    expect(text === before.map((record) => `${JSON.stringify(record)}\n`).join('')).toBe(true);
  });
});

describe('a download whose matches take too long to count', () => {
  /** Every look at the clock is half a minute after the one before. */
  const slow = () => {
    let looks = 0;
    return () => Date.now() + 30_000 * looks++;
  };

  it('starts with none found, and a worker counts, takes the records and delivers', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: 'city:odd' }, { now: slow() });
    expect(request).toMatchObject({ status: 'STARTED', numFound: 0, numRequested: 0 });
    expect(await desk.credits(tokenId)).toBe(1_000_000);
    const [again] = await Promise.all([desk.run(sent[0]!), desk.run(sent[0]!)]);
    await desk.runAll([...again, ...sent]);
    expect(await desk.request(request)).toMatchObject({
      status: 'COMPLETED',
      error: '',
      numFound: RECORDS / 2,
      numRequested: RECORDS / 2,
      numDownloaded: RECORDS / 2,
    });
    expect(await desk.credits(tokenId)).toBe(1_000_000 - RECORDS / 2);
  });

  it('delivers the same, whatever another worker does between two calls of one, and wherever it dies', async () => {
    const parameters = { q: 'name:12' };
    const expected = await undisturbed(parameters, small);
    let call = 1;
    for (let happened = true; happened; call += 1) {
      // It dies at each of its calls beside the first call of the other worker; beside any of them, it lives.
      for (const mortality of call === 1 || isThorough ? deaths() : [new Mortality()]) {
        const tokenId = await account(1_000_000, small);
        const { request, sent } = await small.start(tokenId, parameters, { now: slow() });
        expect(request.numFound).toBe(0);
        const interlude = new Interlude(call, () => small.run(sent[0]!, { mortality }).catch(unlessKilled));
        const next = await small.run(sent[0]!, { mortality: interlude });
        happened = interlude.calls >= call;
        await small.runAll([...next, ...sent]);
        expect(await small.request(request)).toMatchObject({ status: 'COMPLETED', error: '', numDownloaded: 1 });
        expect(await delivered(tokenId, small)).toBe(expected);
        expect(await small.credits(tokenId)).toBe(999_999);
      }
    }
    expect(call).toBeGreaterThan(5);
  });

  it.each([
    ['name:nowhere', 1_000_000, 'numRequested cannot be <= 0'],
    ['city:odd', 100, 'numRequested exceeds the available_downloads of the account'],
  ])(
    'of %s, with %i left in the account, ends with the error it would have been refused with',
    async (q, left, error) => {
      const tokenId = await account(left);
      const { request, sent } = await desk.start(tokenId, { q }, { now: slow() });
      await desk.runAll(sent);
      expect(await desk.request(request)).toMatchObject({ status: 'COMPLETED', error, numDownloaded: 0 });
      expect(await desk.credits(tokenId)).toBe(left);
    },
  );
});

describe('the records of an account', () => {
  it('are never taken twice or below zero, however many downloads start at once', async () => {
    const tokenId = await account(95);
    const starts = await Promise.allSettled(
      Array.from({ length: 30 }, () => desk.start(tokenId, { q: '*:*', records: '10' })),
    );
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    for (const start of starts) if (start.status === 'rejected') expect(start.reason).toMatchObject({ status: 403 });
    expect(await desk.credits(tokenId)).toBe(5);
    expect(await desk.requests(tokenId)).toHaveLength(9);
  });

  it('are out of reach for a token that was revoked a moment ago', async () => {
    const tokenId = await account();
    await desk.accounts.client.send(
      new UpdateItemCommand({
        TableName: desk.accounts.name,
        Key: marshalled(dataTokenKey(tokenId)),
        UpdateExpression: 'SET revokedAt = :now',
        ExpressionAttributeValues: marshalled({ ':now': '2026-01-02T00:00:00.000Z' }),
      }),
    );
    await expect(desk.start(tokenId, { q: '*:*' })).rejects.toMatchObject({ status: 401 });
    expect(await desk.credits(tokenId)).toBe(1_000_000);
  });

  it('takes its records from the credit of the month, which one of many that come at once renews', async () => {
    const month = { monthlyDownloads: 100, extraDownloads: 20, creditMonth: '2026-01' };
    await desk.account('renewing', 12, month);
    const start = (at: number) => desk.start('renewing', { q: '*:*', records: '10' }, { now: () => at });
    const before = await start(Date.UTC(2026, 0, 31, 23, 59, 59)).then(() => desk.credits('renewing'));
    expect(before).toBe(2);
    await expect(start(Date.UTC(2026, 0, 31, 23, 59, 59, 999))).rejects.toMatchObject({ code: 'too-few-credits' });
    const february = Date.UTC(2026, 1, 1);
    const outcomes = await Promise.allSettled(Array.from({ length: 15 }, () => start(february)));
    // The two that were left had been granted beside the monthly ones.
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await desk.credits('renewing')).toBe(2);
    // A function whose clock is behind takes from the same credit.
    await expect(start(february - 1)).rejects.toMatchObject({ code: 'too-few-credits' });
    expect(await desk.credits('renewing')).toBe(2);
  });

  it('come back for what was not delivered when a download fails, once', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: '*:*' });
    const [first] = await desk.run(sent[0]!);
    await desk.run({ ...first!, files: { from: 1, to: 2 } });
    const end = () => desk.downloads.fail(request, 'It broke.', Date.now());
    await Promise.all([end(), end(), desk.run({ ...first!, files: { from: 2, to: 3 } })]);
    const ended = await desk.request(request);
    expect(ended).toMatchObject({ status: 'COMPLETED', error: 'It broke.' });
    expect([FILE_RECORDS, 2 * FILE_RECORDS]).toContain(ended.numDownloaded);
    expect(await desk.credits(tokenId)).toBe(1_000_000 - ended.numDownloaded);
    await desk.runAll([first!, ...sent]);
    expect(await desk.request(request)).toEqual(ended);
    expect(await desk.credits(tokenId)).toBe(1_000_000 - ended.numDownloaded);
  });
});

describe('a download of an account that is being erased', () => {
  const erased = (at: Table, key: Key) =>
    at.client.send(new DeleteItemCommand({ TableName: at.name, Key: marshalled(key) }));

  it('fails without its token, and ends: nobody is left to whom records could come back', async () => {
    const tokenId = await account();
    const { request } = await desk.start(tokenId, { q: '*:*' });
    await erased(desk.accounts, dataTokenKey(tokenId));
    await desk.downloads.fail(request, 'It broke.', Date.now());
    expect(await desk.request(request)).toMatchObject({ status: 'COMPLETED', error: 'It broke.' });
  });

  it('brings back no part of itself that is erased already', async () => {
    const tokenId = await account();
    const { request } = await desk.start(tokenId, { q: '*:*' });
    await erased(index.table, planKey(request));
    await desk.downloads.fail(request, 'It broke.', Date.now());
    expect(await desk.downloads.planned(request, { version: 1, counts: [1] }, Date.now())).toBe('ended');
    expect(await getItem(index.table, planKey(request))).toBeUndefined();
    expect((await desk.request(request)).status).toBe('STARTED');
    expect(await desk.credits(tokenId)).toBe(1_000_000 - request.numRequested);
  });

  it('says in every item whose it is', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: '*:*', records: '5' });
    await desk.runAll(sent);
    for (const key of [planKey(request), fileKey(request, 1), requestKey(request)]) {
      expect(await getItem(index.table, key)).toMatchObject({ tenant: request.tenant });
    }
  });
});

describe('an id', () => {
  it('that is taken, by any account, is not given again', async () => {
    const [one, other] = [await account(), await account()];
    const id = 7_000_000;
    const first = await desk.start(one, { q: '*:*', records: '1' }, { newId: async () => id });
    const ids = [id, id, id + 1];
    const second = await desk.start(other, { q: '*:*', records: '1' }, { newId: async () => ids.shift() ?? 0 });
    expect([first.request.id, second.request.id]).toEqual([id, id + 1]);
    await expect(desk.start(other, { q: '*:*', records: '1' }, { newId: async () => id })).rejects.toMatchObject({
      status: 503,
    });
    expect(await desk.credits(other)).toBe(999_999);
  });
});

describe('a worker that dies', () => {
  it('at any of its calls, before or after they reach AWS, leaves the same files and counts', {
    timeout: 180_000,
  }, async () => {
    // As few as make two files.
    const records = FILE_RECORDS + 50;
    const parameters = { q: 'city:odd', records: String(records) };
    const expected = await undisturbed(parameters);
    let lives = 0;
    for (const mortality of deaths()) {
      const tokenId = await account();
      const { request, sent } = await desk.start(tokenId, parameters);
      const queue = [...sent];
      for (let work = queue.shift(); work; work = queue.shift()) {
        const process = mortality.diedAt === undefined ? { mortality } : {};
        const following = await desk.run(work, process).catch(unlessKilled);
        queue.push(...(following ?? [work]));
      }
      const place = String(mortality);
      expect(await desk.request(request), place).toMatchObject({ status: 'COMPLETED', error: '', filesDone: 2 });
      expect((await delivered(tokenId)) === expected, place).toBe(true);
      expect(await desk.credits(tokenId), place).toBe(1_000_000 - records);
      lives += 1;
    }
    expect(lives).toBeGreaterThan(isThorough ? 50 : 4);
  });

  it('while a download starts leaves nothing, or a download that is found and finished', {
    timeout: 120_000,
  }, async () => {
    for (const mortality of deaths()) {
      const tokenId = await account(1_000_000, small);
      await small.start(tokenId, { q: 'city:odd', records: '3' }, { mortality }).catch(unlessKilled);
      const sent: DownloadWork[] = [];
      await wakeDownloads(
        { downloads: small.downloads, send: async ({ tenant: _, ...work }) => void sent.push(work) },
        later(3)(),
      );
      await small.runAll(sent.filter((work) => work.tokenId === tokenId));
      const requests = await small.requests(tokenId);
      for (const one of requests) expect(one).toMatchObject({ status: 'COMPLETED', numDownloaded: 3 });
      expect(await small.credits(tokenId)).toBe(1_000_000 - 3 * requests.length);
    }
  });
});

describe('messages', () => {
  it('that come twice, late, in any order and at once change nothing', { timeout: 120_000 }, async () => {
    const expected = await undisturbed({ q: '*:*' });
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(9)), async (chances) => {
        const chance = () => chances.next().value as number;
        const tokenId = await account();
        const { request, sent } = await desk.start(tokenId, { q: '*:*' });
        const queue = [...sent];
        let copies = 12;
        while (queue.length > 0) {
          const taken = queue.splice(chance() % queue.length, 1 + (chance() % 3));
          for (const work of taken) {
            if (copies === 0 || chance() >= 3) continue;
            queue.push(work);
            copies -= 1;
          }
          const outcomes = await Promise.all(taken.map((work) => desk.run(work)));
          queue.push(...outcomes.flat());
        }
        expect(await desk.request(request)).toMatchObject({
          status: 'COMPLETED',
          numDownloaded: RECORDS,
          filesDone: 3,
        });
        expect((await delivered(tokenId)) === expected).toBe(true);
        expect(await desk.credits(tokenId)).toBe(1_000_000 - RECORDS);
      }),
      { numRuns: isThorough ? 8 : 2 },
    );
  });

  it('of one download are never more than its share of the workers', async () => {
    const tokenId = await account();
    const { sent } = await desk.start(tokenId, { q: '*:*' });
    const queue = [...sent];
    let most = 0;
    for (let work = queue.shift(); work; work = queue.shift()) {
      queue.push(...(await desk.run(work, { remainingMillis: () => 1 })));
      most = Math.max(most, queue.length);
    }
    expect(most).toBe(2);
  });

  it('go back into the queue when their slice of time is over, and resume where they were', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: '*:*' });
    const [first] = await desk.run(sent[0]!);
    let steps = 0;
    const queue = [first!];
    for (let work = queue.shift(); work; work = queue.shift()) {
      queue.push(...(await desk.run(work, { remainingMillis: () => 1 })));
      steps += 1;
    }
    expect(steps).toBe(2);
    expect((await desk.request(request)).filesDone).toBe(2);
  });
});

describe('a download that has fallen silent', () => {
  it('is woken, less and less often, until it makes progress', async () => {
    const tokenId = await account(1_000_000, small);
    const { request } = await small.start(tokenId, { q: 'city:odd', records: '7' });
    const woken: number[] = [];
    const sent: DownloadWork[] = [];
    for (let minute = 0; minute < 40; minute += 1) {
      await wakeDownloads(
        {
          downloads: small.downloads,
          send: async ({ tenant: _, ...work }) => {
            if (work.id !== request.id) return;
            woken.push(minute);
            sent.push(work);
          },
        },
        later(minute)(),
      );
    }
    expect(woken).toEqual([2, 5, 11, 23]);
    await small.runAll(sent);
    const ended = await small.request(request);
    expect(ended).toMatchObject({ status: 'COMPLETED', numDownloaded: 7 });
    expect(ended.wakeUps).toBeUndefined();
  });

  it('and whose work fails again and again for half an hour ends with its error', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: 'city:odd' });
    const dying = (minutes: number) =>
      desk.run(sent[0]!, { mortality: new Mortality(4, 'before'), receives: 2, now: later(minutes) }).catch(() => []);
    for (let minutes = 0; minutes < 29; minutes += 1) await dying(minutes);
    expect((await desk.request(request)).status).toBe('STARTED');
    await desk.run(sent[0]!, { receives: 2, now: later(31) });
    expect(await desk.request(request)).toMatchObject({
      status: 'COMPLETED',
      numDownloaded: 0,
      error: 'The download could not be finished. Records that were not delivered are credited back.',
    });
    expect(await desk.credits(tokenId)).toBe(1_000_000);
  });
});

describe('a file', () => {
  it('can be fetched for 7 days and not a moment longer', async () => {
    const tokenId = await account();
    const { request, sent } = await desk.start(tokenId, { q: '*:*', records: '5' });
    await desk.runAll(sent);
    const page = { after: 0, limit: 10 };
    const [file] = await desk.downloads.files(request, Date.now(), page);
    const end = Date.parse(file!.createdAt) + 7 * 86_400_000;
    expect(await desk.downloads.files(request, end - 1, page)).toEqual([file]);
    expect(await desk.downloads.files(request, end, page)).toEqual([]);
  });
});
