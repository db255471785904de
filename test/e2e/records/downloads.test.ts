import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { parse as readCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { basic, type RunningService, startService } from '../../support/cloud/running-service.ts';
import { downloader } from '../../support/records/downloading.ts';
import { importRecords } from '../../support/records/imported-records.ts';
import { few } from '../../support/runner/thoroughness.ts';

/** Two files. */
const PRODUCTS = 10_200;
let service: RunningService;
let demo: ReturnType<typeof downloader>;

beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  demo = downloader(service, 'demo-token');
  await importRecords(
    service,
    'businesses',
    Array.from({ length: 30 }, (_, n) => ({
      name: `Hotel ${n}`,
      city: 'Austin',
      categories: [n % 3 ? 'Motels' : 'Hotels'],
    })),
  );
  await importRecords(
    service,
    'products',
    Array.from({ length: PRODUCTS }, (_, n) => ({
      id: `made-${String(n).padStart(6, '0')}`,
      name: `Made product ${n}`,
      brand: 'Mass, "made"',
      sourceURLs: ['https://a.example', 'https://b.example'].slice(0, n % 3),
    })),
  );
});
afterAll(() => service?.close());

/** A download of all products, for all tests. */
let whole: Promise<{ files: readonly string[] }> | undefined;
const wholeDownload = () =>
  (whole ??= (async () => {
    const { id } = await demo.start('products', 'q=name:made');
    expect(await demo.ended(id)).toMatchObject({ numDownloaded: PRODUCTS, error: '' });
    return { files: await demo.files(id) };
  })());

const idsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line).id as string);

describe('a download', () => {
  it('is answered with 303, a relative location, and the request as it is then', async () => {
    const answer = await demo.get('/v3/data/businesses?q=city:austin+AND+categories:hotels&download=true&format=JSON');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/v3/requests/${answer.json.id}`);
    expect(answer.json).toEqual({
      id: expect.any(Number),
      records: '',
      query: 'city:austin AND categories:hotels',
      dataType: 'businesses',
      dataFormat: 'json',
      accountId: 'demo-token',
      planId: 'demo',
      view: 'businesses_all',
      async: 1,
      status: 'STARTED',
      error: '',
      numDownloaded: 0,
      numFound: 10,
      numRequested: 10,
      date_started: expect.stringMatching(/^\d{4}-\d{1,2}-\d{1,2} \d\d:\d\d:\d\d$/),
      date_completed: answer.json.date_started,
    });
    expect(Number.isSafeInteger(answer.json.id)).toBe(true);
    const ended = await demo.ended(answer.json.id);
    expect(ended).toEqual({
      ...answer.json,
      status: 'COMPLETED',
      numDownloaded: 10,
      date_completed: expect.any(String),
    });
    expect((await demo.get('/v3/requests')).json[0]).toEqual(ended);
  });

  it('comes in files of 10,000 records, together the preview and all further records', async () => {
    const { files } = await wholeDownload();
    expect(files.map((text) => text.split('\n').length - 1)).toEqual([10_000, 200]);
    const ids = idsOf(files);
    expect(new Set(ids).size).toBe(PRODUCTS);
    const preview = await demo.get('/v3/data/products?q=name:made');
    expect(ids.slice(0, 10)).toEqual(preview.json.records.map((record: { id: string }) => record.id));
  });

  it('in CSV has a header in every file, and a row for each element of a flat view', async () => {
    const { id } = await demo.start('products', 'q=name:made&format=csv&view=products_basicFields&records=10002');
    await demo.ended(id);
    const [first = '', second = ''] = await demo.files(id);
    for (const text of [first, second])
      expect(text.split('\n')[0]).toBe('id,brand,categories,manufacturer,name,sourceURLs');
    const rows: Record<string, string>[] = readCsv(first + second.slice(second.indexOf('\n') + 1), { columns: true });
    expect(new Set(rows.map((row) => row['id'])).size).toBe(10_002);
    expect(rows.length).toBeGreaterThan(13_000);
    expect(rows.every((row) => row['brand'] === 'Mass, "made"')).toBe(true);
  });

  it('takes its records from the account at once', async () => {
    const before = await demo.credits();
    const { id } = await demo.start('businesses', 'q=*:*&records=7');
    expect(await demo.credits()).toBe(before - 7);
    await demo.ended(id);
    expect(await demo.credits()).toBe(before - 7);
  });

  it.each([
    ['q=colour:red', 400, 'colour does not exist in business schema'],
    ['q=name:nowhere', 400, 'numRequested cannot be <= 0'],
    ['q=*:*&records=0', 400, 'numRequested cannot be <= 0'],
  ])('of %s is refused with %i and takes nothing', async (query, status, error) => {
    const before = await demo.credits();
    const answer = await demo.get(`/v3/data/businesses?download=true&${query}`);
    expect({ status: answer.status, json: answer.json }).toEqual({
      status,
      json: { error: expect.stringContaining(error) },
    });
    expect(await demo.credits()).toBe(before);
  });

  it('of more than the account has left is refused', async () => {
    const operator = await service.managementToken('demo', { operator: true });
    const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
    const made = await service.call('/manage/v1/accounts/demo/data-tokens', {
      method: 'POST',
      headers,
      body: JSON.stringify({ availableDownloads: 5, planId: 'basic' }),
    });
    const poor = downloader(service, made.json.token);
    const answer = await poor.get('/v3/data/businesses?q=*:*&download=true&view=businesses_basic&records=6');
    expect(answer.status).toBe(403);
    expect(answer.json.error).toContain('available_downloads');
    const { id } = await poor.start('businesses', 'q=*:*&view=businesses_basic&records=5');
    expect(await poor.ended(id)).toMatchObject({ planId: 'basic', numDownloaded: 5 });
    expect(await poor.credits()).toBe(0);

    // Whichever token has paid, the account sees its downloads: other tokens by their id, not by the token.
    const { id: tokenId } = made.json;
    expect((await demo.get(`/v3/requests/${id}`)).json).toMatchObject([
      { id, accountId: tokenId, status: 'COMPLETED' },
    ]);
    expect((await demo.get('/v3/requests')).json[0]).toMatchObject({ id, accountId: tokenId });
    expect((await demo.get(`/v3/results/${id}`)).json).toHaveLength(1);
    expect((await poor.get('/v3/requests')).json.length).toBeGreaterThan(1);
    expect((await poor.get('/v3/requests')).json[0]).toMatchObject({ id, accountId: made.json.token });
    // A token that is revoked reads nothing more, and hides nothing from the others.
    await service.call(`/manage/v1/accounts/demo/data-tokens/${tokenId}`, { method: 'DELETE', headers });
    service.cloud.clock.advance(61_000);
    expect((await poor.get('/v3/requests')).status).toBe(401);
    expect((await demo.get(`/v3/results/${id}`)).json).toHaveLength(1);
  });

  it('of another account looks like one that does not exist', async () => {
    const operator = await service.managementToken('demo', { operator: true });
    const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
    const made = async (path: string, body: object) =>
      (await service.call(`/manage/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json;
    const account = await made('accounts', { name: 'Stranger', plan: 'free', billingCurrency: 'USD' });
    const token = await made(`accounts/${account.id}/data-tokens`, { availableDownloads: 5, planId: 'basic' });
    const stranger = downloader(service, token.token);
    const [{ id }] = (await demo.get('/v3/requests')).json;
    expect((await stranger.get('/v3/requests')).json).toEqual([]);
    expect((await stranger.get(`/v3/requests/${id}`)).json).toEqual({ error: 'request does not exist' });
    expect((await stranger.get(`/v3/results/${id}`)).status).toBe(404);
  });
});

describe('a request', () => {
  it.each(['999999', 'abc'])('that does not exist, %s, is a 400', async (id) => {
    const answer = await demo.get(`/v3/requests/${id}`);
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 400,
      json: { error: 'request does not exist' },
    });
  });
});

describe('results', () => {
  it.each(['999999', 'abc'])('of a request that does not exist, %s, are a 404 in full', async (id) => {
    const answer = await demo.get(`/v3/results/${id}`);
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 404,
      json: { error: 'Not Found', message: 'The requested resource was not found.', code: 404 },
    });
  });

  it('are a 404 while the download runs, and every field when it has ended', async () => {
    service.cloud.denyAll('RunDownload');
    const { id } = await demo.start('businesses', 'q=*:*&records=3');
    expect((await demo.get(`/v3/results/${id}`)).status).toBe(404);
    service.cloud.allow('RunDownload');
    await demo.ended(id);
    const { json } = await demo.get(`/v3/results/${id}`);
    expect(json).toEqual([
      {
        id: id * 65_536 + 1,
        url: expect.stringMatching(new RegExp(`/tok_[\\w-]+/${id}_1\\.txt\\?`)),
        request_id: id,
        downloaded: 0,
        imported: 0,
        date_created: expect.stringMatching(/^\d{4}-\d{1,2}-\d{1,2} \d\d:\d\d:\d\d$/),
      },
    ]);
    expect(json[0].url).not.toContain('demo-token');
    expect(Number(new URL(json[0].url).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(604_800);
    expect((await demo.get(`/v3/results/${id}?after=${json[0].id}`)).json).toEqual([]);
    expect((await demo.get(`/v3/results/${id}?after=5`)).status).toBe(400);
  });

  it('have links that need no account, name the file, and hold for that object only', async () => {
    const { id } = await demo.start('businesses', 'q=*:*&records=2');
    await demo.ended(id);
    const [{ url }] = (await demo.get(`/v3/results/${id}`)).json;
    const fetched = await fetch(url);
    expect(fetched.headers.get('content-disposition')).toBe(`attachment; filename="${id}_1.txt"`);
    expect((await fetched.text()).split('\n')).toHaveLength(3);
    expect((await fetch(url.replace('_1.txt', '_2.txt'))).status).toBe(403);
    expect((await fetch(url, { headers: { authorization: basic('demo-token') } })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('dead letters', () => {
  it('carry their tenant, are listed, shown, dropped, and sent back to work by a command', async () => {
    // Throttled often enough, its message becomes a dead letter.
    service.cloud.faults.throttle('RunDownload', 30);
    const letters = (...args: string[]) => service.run('cdk/letters.command.ts', ...args);
    const { id } = await demo.start('businesses', 'q=*:*&records=4');
    const sqs = new SQSClient(clientOptions(service.cloud));
    const QueueUrl = service.cloud.outputs['DeadLettersDownloads'];
    const lookAtDead = new ReceiveMessageCommand({
      QueueUrl,
      MessageSystemAttributeNames: ['MessageGroupId'],
      VisibilityTimeout: 0,
    });
    const [letter] = await eventually(
      service.cloud,
      async () => (await sqs.send(lookAtDead)).Messages ?? [],
      ({ length }) => length > 0,
    );
    // By which the queue is fair to tenants: those with little to download are not held up.
    expect(letter?.Attributes?.MessageGroupId).toBe('demo');
    service.cloud.faults.clear();
    const message = { group: 'another', MessageBody: '{"nobody":["knows"]}' };
    const { MessageId: other = '' } = await sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody: message.MessageBody, MessageGroupId: message.group }),
    );
    const { stdout: listed, stderr } = await letters('Downloads');
    expect(stderr).toBe('');
    expect(listed).toMatch(/^[\w-]{36} {2}20[\d-]+T[\d:.]+Z {2}.+\n[\w-]{36} {2}20.+\n$/);
    expect(listed).toContain(`${letter?.MessageId}  `);
    expect((await letters('Downloads', '--show', other)).stdout).toMatch(
      /^MessageId: .+\nSent: 20.+\n(.+\n)*MessageGroupId: another\n(.+\n)*\n\{\n {2}"nobody": \[\n {4}"knows"\n {2}\]\n\}\n$/,
    );
    expect(await letters('Downloads', '--drop', other)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await letters('Downloads', '--redrive')).toEqual({
      code: 0,
      stdout: 'Downloads: 1 messages moved.\n',
      stderr: '',
    });
    expect(await demo.ended(id)).toMatchObject({ numDownloaded: 4, error: '' });
  });
});

describe('workers that die', () => {
  it('before, in and after their work, or get it twice, change nothing', async () => {
    const { files: undisturbed } = await wholeDownload();
    const before = await demo.credits();
    const { faults } = service.cloud;
    faults.kill('RunDownload', 'before-invoke');
    faults.deliverTwice('RunDownload', { together: true });
    for (const call of few([5, 12], [9, 3])) {
      faults.kill('RunDownload', { call, moment: call % 2 ? 'sending' : 'answered' });
    }
    faults.kill('RunDownload', 'after-result');
    const { id } = await demo.start('products', 'q=name:made');
    expect(await demo.ended(id)).toMatchObject({ numDownloaded: PRODUCTS, error: '' });
    expect(faults.pending).toBe(0);
    expect((await demo.files(id)).join('') === undisturbed.join('')).toBe(true);
    expect(await demo.credits()).toBe(before - PRODUCTS);
  });
});
