import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { parse as readCsv } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DownloadCall } from '../../../functions/records/commands/download-call.ts';
import { DownloadFolder } from '../../../functions/records/commands/download-folder.ts';
import { downloadRecords } from '../../../functions/records/commands/download-records.ts';
import { publicApi } from '../../../functions/records/commands/public-api.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { basic, type RunningService, startService } from '../../support/cloud/running-service.ts';
import { isFile, type Network, namesIn, partsIn, startNetwork } from '../../support/records/client-network.ts';
import { downloader } from '../../support/records/downloading.ts';
import { importRecords } from '../../support/records/imported-records.ts';
import { polled } from '../../support/runner/machine-time.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { webhookEvents } from '../../support/webhooks/webhook-events.ts';

/** Two files. */
const PRODUCTS = 10_200;

const COMMAND = 'functions/records/commands/download-records.command.ts';
const SHOES = 60;

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
    const other = await demo.start('businesses', 'q=*:*&records=1');
    await demo.ended(other.id);
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
    expect((await poor.get('/v3/requests')).json.slice(0, 2)).toMatchObject([
      { id, accountId: made.json.token },
      { id: other.id },
    ]);
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
    const { id } = await demo.start('businesses', 'q=*:*&records=1');
    await demo.ended(id);
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
    await service.cloud.settled();
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

describe('the download client', { shuffle: false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'download-client-'));
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork(service.cloud);
    const prices = [{ amountMin: 10 }, { amountMin: 20, comment: undefined, merchant: 'Two\nlines, "quoted"' }];
    const shoe = (i: number) => ({ id: `shoe-${i}`, name: 'Shoe', brand: i < 50 ? 'Rare' : 'Common', prices });
    await importRecords(
      service,
      'products',
      Array.from({ length: SHOES }, (_, i) => shoe(i)),
    );
  });
  afterEach(() => network.mend());
  afterAll(async () => {
    await network?.close();
    rmSync(folder, { recursive: true });
  });

  /** True on the first call for each thing. */
  const firsts = () => {
    const seen = new Set<string>();
    return (thing: string) => !seen.has(thing) && seen.add(thing) !== undefined;
  };
  const nameOf = (path: string) => path.split('?')[0] ?? '';

  const MADE_CALL = { type: 'products', q: 'name:made' };
  const RARE_CALL = { type: 'products', q: 'brand:rare' };

  /** The command without its process. It waits until the service has done what it can, instead of for a time. */
  async function download(
    out: string,
    call: Pick<DownloadCall, 'type' | 'q'> & Partial<DownloadCall>,
    token = 'demo-token',
  ) {
    const { records, files } = await downloadRecords({
      api: publicApi(network.url, token),
      call: { url: network.url, format: 'json', ...call },
      folder: new DownloadFolder(join(folder, out)),
      pause: () => service.cloud.settled(),
    });
    return { records, files };
  }
  /** The command as a user runs it. */
  const command = (out: string, ...args: string[]) => service.run(COMMAND, '--out', join(folder, out), ...args);

  const filesIn = (out: string) =>
    readdirSync(join(folder, out))
      .filter((name) => name !== '.download.json')
      .sort();
  const linesIn = (out: string) =>
    filesIn(out).flatMap((name) =>
      readFileSync(join(folder, out, name), 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    );
  const recordOf = (out: string) => JSON.parse(readFileSync(join(folder, out, '.download.json'), 'utf8'));
  const downloadsStarted = async () => (await service.as('demo-token')('/v3/requests')).json.length as number;
  const credits = async () => (await service.as('demo-token')('/v3/users')).json[0].available_downloads as number;

  it('brings every record once, shows the token to the service alone, and when called again keeps the files', async () => {
    const before = await credits();
    const expected = { records: PRODUCTS, files: 2 };
    expect(await download('all', MADE_CALL)).toEqual(expected);
    const ids = linesIn('all').map((line) => JSON.parse(line).id);
    expect([ids.length, new Set(ids).size]).toEqual([PRODUCTS, PRODUCTS]);
    const { id } = recordOf('all');
    expect(filesIn('all')).toEqual([`${id}_1.txt`, `${id}_2.txt`]);
    expect(network.files.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    expect(readFileSync(join(folder, 'all', '.download.json'), 'utf8')).not.toContain('demo-');
    expect(before - (await credits())).toBe(PRODUCTS);

    expect(await download('all', MADE_CALL)).toEqual(expected);
    expect([network.files.length, before - (await credits())]).toEqual([2, PRODUCTS]);
  });

  it('finds the local service by itself, takes the number and view of records, and counts them, not the rows of a CSV file', async () => {
    const args = ['--type', 'products', '--q', 'brand:rare', '--records', '7', '--format', 'csv'];
    const { code, stdout } = await command('some', ...args, '--view', 'products_pricesFlat');
    expect([code, stdout]).toEqual([0, `7 records in 1 file in ${join(folder, 'some')}.\n`]);
    expect(recordOf('some').url).toBe(service.cloud.apiUrl);
    const [name = ''] = filesIn('some');
    expect(readFileSync(join(folder, 'some', name), 'utf8').match(/^"shoe-/gm)).toHaveLength(2 * 7);
  });

  it('resumes after it was killed while it fetched files, and starts and pays for nothing again', async () => {
    const before = [await downloadsStarted(), await credits()] as const;
    network.fail((path) => (isFile(path) ? { stallAt: 5_000 } : undefined));
    const child = spawned('killed', '--type', 'products', '--q', 'name:made');
    await polled(
      () => partsIn(join(folder, 'killed')),
      (parts) => parts.length === 2 && parts.every(({ size }) => size === 5_000),
    );
    child.kill('SIGKILL');
    const { id } = recordOf('killed');
    network.mend();

    expect(await download('killed', MADE_CALL)).toEqual({ records: PRODUCTS, files: 2 });
    expect(network.files.map(({ headers }) => headers.range)).toEqual(Array(2).fill('bytes=4999-'));
    expect(recordOf('killed').id).toBe(id);
    expect(linesIn('killed').join() === linesIn('all').join()).toBe(true);
    expect([(await downloadsStarted()) - before[0], before[1] - (await credits())]).toEqual([1, PRODUCTS]);
  });

  it('survives lost answers, busy services, cut connections and refused links', async () => {
    const before = await downloadsStarted();
    const isFirst = firsts();
    network.fail((path, { body }) => {
      const name = nameOf(path);
      if (!isFile(path)) return isFirst(name) ? { status: 503, body: Buffer.from('{"message":"busy"}') } : undefined;
      if (isFirst(name)) return { status: 403, body: Buffer.from('<Error/>') };
      return isFirst(`${name} again`)
        ? { breakAt: { bytes: Math.floor(body.length / 2), folder: join(folder, 'rough') } }
        : undefined;
    });
    expect(await download('rough', MADE_CALL)).toEqual({ records: PRODUCTS, files: 2 });
    expect(linesIn('rough').join() === linesIn('all').join()).toBe(true);
    expect((await downloadsStarted()) - before).toBe(1);
    expect(network.files.filter(({ headers }) => headers.range !== undefined)).toHaveLength(2);
  });

  describe('a folder', () => {
    it('of another download is refused, and stays as it is', async () => {
      const saved = recordOf('all');
      const other = { type: 'products', q: 'brand:rare', records: '5' };
      await expect(download('all', other)).rejects.toThrow(
        `${join(folder, 'all')} belongs to another download: --q was "name:made" and is "brand:rare"; ` +
          '--records was not set and is "5". Choose another --out, or make the same call.',
      );
      expect(recordOf('all')).toEqual(saved);
    });

    it('whose download was started but not recorded, because of a crash, continues with that one', async () => {
      const call = { type: 'products', q: 'brand:rare AND name:shoe' };
      await download('crashed', call);
      const { id, ...rest } = recordOf('crashed');
      writeFileSync(join(folder, 'crashed', '.download.json'), JSON.stringify(rest));
      const before = await downloadsStarted();
      await download('crashed', call);
      expect([recordOf('crashed').id, await downloadsStarted()]).toEqual([id, before]);
    });

    it('with a file that lost records is not called complete', async () => {
      const call = { ...RARE_CALL, records: '7' };
      await download('short', call);
      const [name = ''] = filesIn('short');
      const path = join(folder, 'short', name);
      writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 5).join('\n'));
      await expect(download('short', call)).rejects.toThrow('File 1 has 5 records instead of 7.');
      rmSync(path);
      expect(await download('short', call)).toEqual({ records: 7, files: 1 });
    });
  });

  describe('a download that cannot be', () => {
    it.each([
      ['an unknown field', 'colour:red', 'demo-token', 'colour does not exist in product schema'],
      ['a wrong token', 'a', 'x', 'Authentication required. Please provide a valid API token.'],
    ])('for %s says why, and leaves the folder free for another', async (_what, q, token, message) => {
      await expect(download('refused', { type: 'products', q }, token)).rejects.toThrow(message);
      expect(namesIn(join(folder, 'refused'))).toEqual([]);
    });

    it('because its files have expired says so', async () => {
      network.fail((path) => (path.startsWith('/v3/results') ? { body: Buffer.from('[]') } : undefined));
      await expect(download('expired', RARE_CALL)).rejects.toThrow(
        'are no longer available: they are kept for seven days',
      );
    });

    it('ended early by the service keeps what came, says why, and exits with 2', async () => {
      network.fail((path, { body }) => {
        if (path.startsWith('/v3/results'))
          return { body: Buffer.from(JSON.stringify(JSON.parse(body.toString()).slice(0, 1))) };
        if (!path.startsWith('/v3/requests/')) return undefined;
        const [request] = JSON.parse(body.toString());
        return {
          body: Buffer.from(JSON.stringify([{ ...request, error: 'The disk is full.', numDownloaded: 10_000 }])),
        };
      });
      const call = ['--type', 'products', '--q', 'name:made'];
      const { code, stdout, stderr } = await command('partly', '--url', network.url, ...call);
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        `The disk is full.\n10000 records in 1 file in ${join(folder, 'partly')}. ${PRODUCTS} were requested.\n`,
      ]);
      expect(filesIn('partly')).toEqual([`${recordOf('partly').id}_1.txt`]);
    });
  });

  function spawned(out: string, ...args: string[]): ChildProcess {
    const file = join(import.meta.dirname, '..', '..', '..', COMMAND);
    const options = ['--out', join(folder, out), '--url', network.url, ...args];
    return spawn(process.execPath, [file, ...options], { stdio: 'ignore' });
  }
});

/** People of a tenant sign in and have no data token. */
describe('records for people of a tenant', () => {
  let people: string;
  beforeAll(async () => void (people = await service.managementToken('demo')));

  const manage = (method: string, path: string, { as = people, body }: { as?: string; body?: unknown } = {}) =>
    service.call(`/manage/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const get = (path: string, as?: string) => manage('GET', path, as === undefined ? {} : { as });
  const order = (body: object, path = 'requests', as = people) =>
    manage('POST', path, { as, body: { type: 'products', q: 'name:made', ...body } });
  const ended = (id: number) =>
    eventually(
      service.cloud,
      async () => (await get(`requests/${id}`)).json,
      ({ status }) => status === 'COMPLETED',
    );
  const credits = () => downloader(service, 'demo-token').credits();

  describe('a schema', () => {
    it('is listed, and shown with its fields and views', async () => {
      const { items } = (await get('schemas')).json;
      expect(items.map(({ type }: { type: string }) => type)).toEqual(['businesses', 'products', 'properties']);
      const { fields, views } = (await get('schemas/products')).json;
      expect(fields).toHaveLength(items[1].fields);
      expect(fields[0]).toEqual(expect.objectContaining({ name: expect.any(String), type: expect.any(String) }));
      expect(views[0].name).toBe('products_all');
      expect((await get('schemas/people')).json).toMatchObject({ status: 404, code: 'not-found' });
    });
  });

  describe('a search', () => {
    it('shows what the data endpoint shows, and takes nothing from the account', async () => {
      const before = await credits();
      const query = 'q=name:made+AND+id:made-000007&view=products_basicFields';
      const { status, json } = await get(`data/products?${query}&records=5`);
      expect([status, json]).toEqual([
        200,
        { estimatedTotal: 1, records: [expect.objectContaining({ id: 'made-000007' })] },
      ]);
      const own = (await service.as('demo-token')(`/v3/data/products?${query}`)).json;
      expect(own).toEqual({ 'estimated total': json.estimatedTotal, records: json.records });
      expect(await credits()).toBe(before);
    });

    // `tenant-search.test.ts` has all that are refused.
    it.each([
      ['data/products?q=colour:red', 400, 'invalid-query', 'colour does not exist in product schema'],
      ['data/products?q=a&tenant=nobody', 404, 'not-found', 'There is no such account.'],
    ])('of %s is refused with %i %s', async (path, status, code, detail) => {
      expect((await get(path)).json).toMatchObject({ status, code, detail });
    });

    it('shows a tenant what its tokens show: nothing without one, and only the views of their plans', async () => {
      const operator = await service.managementToken('demo', { operator: true });
      await manage('POST', 'accounts', { as: operator, body: { name: 'Small Inc' } });
      const small = await service.managementToken('small-inc');
      expect((await get('data/products?q=a', small)).json).toMatchObject({ status: 403, code: 'no-data-token' });
      const body = { availableDownloads: 5, planId: 'basic' };
      await manage('POST', 'accounts/small-inc/data-tokens', { as: operator, body });
      expect((await get('data/products?q=a', small)).json.detail).toBe('user does not have access to this view');
      expect((await get('data/products?q=a&view=products_basicFields', small)).status).toBe(200);
      const refused = await order({ view: 'products_basicFields', records: 6 }, 'requests', small);
      expect(refused.json).toMatchObject({
        status: 409,
        code: 'too-few-credits',
        detail: 'numRequested exceeds the available_downloads of the account',
      });
      expect((await order({ view: 'products_basicFields', records: 5 }, 'requests', small)).status).toBe(201);
      expect((await get('accounts/small-inc/data-tokens', small)).json.items[0].availableDownloads).toBe(0);
    });
  });

  describe('a download', () => {
    it('is ordered, paid by a token of the tenant, followed to its end, and read by fresh links and page by page', async () => {
      const before = await credits();
      const ordered = await order({ format: 'csv', view: 'products_basicFields' });
      expect(ordered.status).toBe(201);
      const { id } = ordered.json;
      expect(ordered.headers.get('location')).toBe(`/manage/v1/requests/${id}`);
      expect(ordered.json).toEqual({
        id: expect.any(Number),
        type: 'products',
        query: 'name:made',
        view: 'products_basicFields',
        format: 'csv',
        status: 'STARTED',
        error: '',
        found: PRODUCTS,
        requested: PRODUCTS,
        downloaded: 0,
        credits: PRODUCTS,
        tokenId: expect.stringMatching(/^tok_/),
        startedAt: expect.any(String),
        progressedAt: ordered.json.startedAt,
      });
      expect(await credits()).toBe(before - PRODUCTS);
      const { files, ...request } = await ended(id);
      expect(request).toMatchObject({ downloaded: PRODUCTS, credits: PRODUCTS, completedAt: expect.any(String) });
      expect(files.map(({ number, records }: { number: number; records: number }) => [number, records])).toEqual([
        [1, 10_000],
        [2, 200],
      ]);
      // Webhooks are told. That the variables are those of the document, `test/reference/documents.test.ts` shows.
      expect(await webhookEvents(service.cloud)).toContain(`downloads-request-${id}`);
      // The token that paid sees it as one of its own.
      const [own] = (await service.as('demo-token')(`/v3/requests/${id}`)).json;
      expect(own).toMatchObject({ id, numDownloaded: PRODUCTS });

      const link = await manage('POST', `requests/${id}/files/2`);
      expect([link.status, link.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const bytes = Buffer.from(await (await fetch(link.json.url)).arrayBuffer());
      expect(bytes.byteLength).toBe(files[1].bytes);
      expect(Number(new URL(link.json.url).searchParams.get('X-Amz-Expires'))).toBe(300);
      for (const path of [`requests/${id}/files/3`, `requests/${id + 1}/files/1`, 'requests/abc/files/1']) {
        expect((await manage('POST', path)).json).toMatchObject({ status: 404, code: 'not-found' });
        expect((await get(`${path}/records`)).json).toMatchObject({ status: 404, code: 'not-found' });
      }
      expect((await manage('POST', `requests/${id}/files/0`)).status).toBe(400);
      // Page by page, its records are in the order of the file.
      const pages: Record<string, string>[][] = [];
      for (let path: string | undefined = ''; path !== undefined; ) {
        const { json } = await get(`requests/${id}/files/2/records?limit=100${path}`);
        pages.push(json.items);
        path = json.nextCursor && `&cursor=${json.nextCursor}`;
      }
      expect(pages.map(({ length }) => length)).toEqual([100, 100, 67]);
      const [, ...rows] = bytes.toString().trim().split('\n');
      expect(pages.flat().map((record) => record['id'])).toEqual(
        rows.map((row) => JSON.parse(row.split(',')[0] ?? '')),
      );
      const { nextCursor } = (await get(`requests/${id}/files/1/records?limit=1`)).json;
      expect((await get(`requests/${id}/files/2/records?cursor=${nextCursor}`)).json.code).toBe('invalid-cursor');
    });

    it('is listed with those of all tokens, newest first, and is no other tenant’s', async () => {
      const { id: older } = await downloader(service, 'demo-token').start('products', 'q=name:made&records=1');
      const second = await manage('POST', 'accounts/demo/data-tokens', {
        as: await service.managementToken('demo', { operator: true }),
        body: { availableDownloads: 50, planId: 'demo' },
      });
      const { id: newer } = (await order({ records: 2, tokenId: second.json.id })).json;
      expect((await manage('DELETE', `accounts/demo/data-tokens/${second.json.id}`)).status).toBe(204);
      const { items, nextCursor } = (await get('requests?limit=1')).json;
      expect(items.map(({ id }: { id: number }) => id)).toEqual([newer]);
      const rest = (await get(`requests?cursor=${nextCursor}`)).json;
      expect(rest.items[0].id).toBe(older);
      expect(rest.items.map(({ id }: { id: number }) => id)).not.toContain(newer);

      const other = await service.managementToken('other');
      for (const path of [`requests/${newer}`, 'requests/1', 'requests/abc']) {
        expect((await get(path, other)).json).toMatchObject({ status: 404, detail: 'There is no such request.' });
      }
      expect((await manage('POST', `requests/${older}/files/1`, { as: other })).status).toBe(404);
      expect((await get(`requests/${older}/files/1/records`, other)).status).toBe(404);
      expect((await get(`requests?cursor=${nextCursor}`, other)).json.code).toBe('invalid-cursor');
    });

    // `tenant-search.test.ts` has all that are refused.
    it.each([
      [{ q: 'name:nowhere' }, 400, 'nothing-requested'],
      [{ tokenId: 'tok_unknown' }, 404, 'not-found'],
    ])('of %j is refused with %i %s and takes nothing', async (body, status, code) => {
      const before = await credits();
      expect((await order(body)).json).toMatchObject({ status, code });
      expect(await credits()).toBe(before);
    });
  });

  describe('an import of records', () => {
    it('is shown to operators, with its rejected lines', async () => {
      const operator = await service.managementToken('demo', { operator: true });
      await importRecords(service, 'products', [{ id: 'shown', name: 'Shown' }, { colour: 'red' }]);
      const { items } = (await get('imports', operator)).json;
      expect(items[0]).toMatchObject({
        type: 'products',
        name: 'made.ndjson',
        status: 'COMPLETED',
        lines: 2,
        imported: 1,
        rejected: 1,
      });
      expect(await webhookEvents(service.cloud)).toContain(`downloads-import-${items[0].id}`);
      const { json } = await get(`imports/${items[0].id}`, operator);
      expect(json).toMatchObject({ ...items[0], rejections: [{ line: 2, reason: expect.any(String) }] });
      expect((await fetch(json.rejectionsUrls[0])).status).toBe(200);
      expect((await get('imports/none', operator)).status).toBe(404);
      for (const path of ['imports', `imports/${items[0].id}`]) {
        expect((await get(path)).json).toMatchObject({ status: 403, code: 'operator-required' });
      }
    });
  });

  describe('a file that is a week old', () => {
    // In `npm test`, `test/records/download-files/file-link.test.ts` shows it without the service.
    it.runIf(isThorough)('is refused as expired, and no longer listed', async () => {
      const { id } = (await order({ records: 3 })).json;
      await ended(id);
      service.cloud.clock.advance(7 * 86_400_000 + 1_000);
      people = await service.managementToken('demo');
      expect((await manage('POST', `requests/${id}/files/1`)).json).toMatchObject({
        status: 410,
        code: 'file-expired',
      });
      expect((await get(`requests/${id}/files/1/records`)).json).toMatchObject({ status: 410, code: 'file-expired' });
      expect((await get(`requests/${id}`)).json).toMatchObject({ status: 'COMPLETED', downloaded: 3, files: [] });
    });
  });
});
