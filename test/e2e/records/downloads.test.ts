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
import { few } from '../../support/runner/thoroughness.ts';

/** Two files. */
const PRODUCTS = 10_200;

const COMMAND = 'functions/records/commands/download-records.command.ts';
/** Two files. */
const HOUSES = 10_100;
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

describe('the download client', { shuffle: false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'download-client-'));
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork(service.cloud);
    const house = (i: number) => ({ id: `house-${i}`, address: `${i} Elm Street`, country: 'US', numBedroom: i % 5 });
    const prices = [{ amountMin: 10 }, { amountMin: 20, comment: undefined, merchant: 'Two\nlines, "quoted"' }];
    const shoe = (i: number) => ({ id: `shoe-${i}`, name: 'Shoe', brand: i < 50 ? 'Rare' : 'Common', prices });
    await importRecords(
      service,
      'properties',
      Array.from({ length: HOUSES }, (_, i) => house(i)),
    );
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

  const HOUSES_CALL = { type: 'properties', q: 'country:US' };
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

  it('brings every record once, and when called again keeps the files', async () => {
    const before = await credits();
    const expected = { records: HOUSES, files: 2 };
    expect(await download('all', HOUSES_CALL)).toEqual(expected);
    const ids = linesIn('all').map((line) => JSON.parse(line).id);
    expect([ids.length, new Set(ids).size]).toEqual([HOUSES, HOUSES]);
    const { id } = recordOf('all');
    expect(filesIn('all')).toEqual([`${id}_1.txt`, `${id}_2.txt`]);
    expect([network.files.length, before - (await credits())]).toEqual([2, HOUSES]);

    expect(await download('all', HOUSES_CALL)).toEqual(expected);
    expect([network.files.length, before - (await credits())]).toEqual([2, HOUSES]);
  });

  it('finds the local service by itself, and takes the number and view of records', async () => {
    const args = ['--type', 'products', '--q', 'brand:rare', '--view', 'products_basicFields', '--records', '7'];
    const { code, stdout } = await command('some', ...args);
    expect([code, stdout]).toEqual([0, `7 records in 1 file in ${join(folder, 'some')}.\n`]);
    expect(recordOf('some').url).toBe(service.cloud.apiUrl);
    expect(Object.keys(JSON.parse(linesIn('some')[0] ?? ''))).toEqual(['brand', 'name', 'id']);
  });

  it('counts records of CSV records, not the rows of a flat view', async () => {
    const call = { type: 'products', q: 'name:shoe', format: 'csv', view: 'products_pricesFlat' } as const;
    expect(await download('flat', call)).toEqual({ records: SHOES, files: 1 });
    const [name = ''] = filesIn('flat');
    expect(readFileSync(join(folder, 'flat', name), 'utf8').match(/^"shoe-/gm)).toHaveLength(2 * SHOES);
  });

  it('resumes after it was killed while it fetched files, and starts and pays for nothing again', async () => {
    const before = [await downloadsStarted(), await credits()] as const;
    network.fail((path) => (isFile(path) ? { stallAt: 5_000 } : undefined));
    const child = spawned('killed', '--type', 'properties', '--q', 'country:US');
    await polled(
      () => partsIn(join(folder, 'killed')),
      (parts) => parts.length === 2 && parts.every(({ size }) => size === 5_000),
    );
    child.kill('SIGKILL');
    const { id } = recordOf('killed');
    network.mend();

    expect(await download('killed', HOUSES_CALL)).toEqual({ records: HOUSES, files: 2 });
    expect(network.files.map(({ headers }) => headers.range)).toEqual(Array(2).fill('bytes=4999-'));
    expect(recordOf('killed').id).toBe(id);
    expect(linesIn('killed')).toEqual(linesIn('all'));
    expect([(await downloadsStarted()) - before[0], before[1] - (await credits())]).toEqual([1, HOUSES]);
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
    expect(await download('rough', HOUSES_CALL)).toEqual({ records: HOUSES, files: 2 });
    expect(linesIn('rough')).toEqual(linesIn('all'));
    expect((await downloadsStarted()) - before).toBe(1);
    expect(network.files.filter(({ headers }) => headers.range !== undefined)).toHaveLength(2);
  });

  it('shows the token to the service alone', async () => {
    await download('secret', RARE_CALL);
    expect(readFileSync(join(folder, 'secret', '.download.json'), 'utf8')).not.toContain('demo-');
    expect(network.files.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  describe('a folder', () => {
    it('of another download is refused, and stays as it is', async () => {
      const saved = recordOf('all');
      const other = { type: 'properties', q: 'numBedroom:1', records: '5' };
      await expect(download('all', other)).rejects.toThrow(
        `${join(folder, 'all')} belongs to another download: --q was "country:US" and is "numBedroom:1"; ` +
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
      ['an unknown field', 'colour:red', 'demo-token', 'colour does not exist in property schema'],
      ['no match', 'address:nowhere', 'demo-token', 'numRequested cannot be <= 0'],
      ['a wrong token', 'a', 'x', 'Authentication required. Please provide a valid API token.'],
    ])('for %s says why, and leaves the folder free for another', async (_what, q, token, message) => {
      await expect(download('refused', { type: 'properties', q }, token)).rejects.toThrow(message);
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
      const call = ['--type', 'properties', '--q', 'country:US'];
      const { code, stdout, stderr } = await command('partly', '--url', network.url, ...call);
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        `The disk is full.\n10000 records in 1 file in ${join(folder, 'partly')}. ${HOUSES} were requested.\n`,
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
