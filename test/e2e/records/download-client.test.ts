import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DownloadCall } from '../../../functions/records/commands/download-call.ts';
import { DownloadFolder } from '../../../functions/records/commands/download-folder.ts';
import { downloadRecords } from '../../../functions/records/commands/download-records.ts';
import { publicApi } from '../../../functions/records/commands/public-api.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { importRecords } from '../../support/records/imported-records.ts';
import { polled } from '../../support/runner/machine-time.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

stepsInOrder();

const COMMAND = 'functions/records/commands/download-records.command.ts';
/** Two files. */
const HOUSES = 10_100;
const SHOES = 60;

const folder = mkdtempSync(join(tmpdir(), 'download-client-'));
let service: RunningService;
let network: Network;
beforeAll(async () => {
  service = await startService();
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
  await service?.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * What happens to an answer on its way; `breakAt` sends that many bytes and closes when they are in a folder, `stallAt`
 * sends that many and then stays silent.
 */
type Fate = Partial<Pick<Answer, 'status' | 'body'>> & {
  readonly breakAt?: { readonly bytes: number; readonly folder: string };
  readonly stallAt?: number;
};

interface Network {
  readonly url: string;
  /** Requests for files, as they came. */
  readonly files: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Decides about answers until the next call, or `mend`. */
  fail(decide: (path: string, answer: Answer) => Fate | undefined): void;
  mend(): void;
  close(): Promise<void>;
}

/** A proxy to the API and the storage of the service that can cause failures. */
async function startNetwork({ apiUrl, awsUrl }: { apiUrl: string; awsUrl: string }): Promise<Network> {
  let decide: (path: string, answer: Answer) => Fate | undefined = () => undefined;
  const files: Network['files'] = [];
  const pass = async ({ url: path = '', headers }: IncomingMessage, response: ServerResponse) => {
    const isFile = !path.startsWith('/v3/');
    if (isFile) files.push({ path, headers });
    const sent = Object.entries(headers).filter(([name]) => ['authorization', 'range', 'if-match'].includes(name));
    const target = `${isFile ? awsUrl : apiUrl}${path}`;
    const real = await fetch(target, { headers: sent as [string, string][], redirect: 'manual' });
    const bytes = Buffer.from(await real.arrayBuffer());
    const body = isFile ? bytes : Buffer.from(bytes.toString().replaceAll(awsUrl, url));
    const answer: Answer = { status: real.status, headers: real.headers, body };
    const fate = { status: answer.status, body, ...decide(path, answer) };
    const forwarded = ['content-type', 'location', 'link', 'etag', 'content-range'];
    response.writeHead(fate.status, {
      ...Object.fromEntries([...real.headers].filter(([name]) => forwarded.includes(name))),
      'content-length': fate.body.length,
    });
    const limit = fate.breakAt?.bytes ?? fate.stallAt;
    if (limit === undefined) response.end(fate.body);
    else response.write(fate.body.subarray(0, limit));
    if (!fate.breakAt) return;
    // A client that hears of the cut before it has read the bytes loses them.
    const { bytes: sentBytes, folder: out } = fate.breakAt;
    await polled(
      () => partsIn(out),
      (parts) => parts.some(({ size }) => size === sentBytes),
    );
    response.destroy();
  };
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    files,
    fail(next) {
      decide = next;
    },
    mend() {
      decide = () => undefined;
      files.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isFile = (path: string) => !path.startsWith('/v3/');
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

describe('a download', () => {
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

  it('as CSV counts records, not the rows of a flat view', async () => {
    const call = { type: 'products', q: 'name:shoe', format: 'csv', view: 'products_pricesFlat' } as const;
    expect(await download('flat', call)).toEqual({ records: SHOES, files: 1 });
    const [name = ''] = filesIn('flat');
    expect(readFileSync(join(folder, 'flat', name), 'utf8').match(/^"shoe-/gm)).toHaveLength(2 * SHOES);
  });

  it('killed while it fetches files resumes them, and starts and pays for nothing again', async () => {
    const before = [await downloadsStarted(), await credits()] as const;
    network.fail((path) => (isFile(path) ? { stallAt: 5_000 } : undefined));
    const child = spawned('killed', '--type', 'properties', '--q', 'country:US');
    await polled(
      () => partsIn('killed'),
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
        ? { breakAt: { bytes: Math.floor(body.length / 2), folder: 'rough' } }
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
    expect(readdirIfAny('refused')).toEqual([]);
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
      return { body: Buffer.from(JSON.stringify([{ ...request, error: 'The disk is full.', numDownloaded: 10_000 }])) };
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

function readdirIfAny(out: string): string[] {
  return readdirSync(folder).includes(out) ? readdirSync(join(folder, out)) : [];
}

function partsIn(out: string) {
  return readdirIfAny(out)
    .filter((name) => name.endsWith('.part'))
    .map((name) => statSync(join(folder, out, name)));
}

function spawned(out: string, ...args: string[]): ChildProcess {
  const file = join(import.meta.dirname, '..', '..', '..', COMMAND);
  const options = ['--out', join(folder, out), '--url', network.url, ...args];
  return spawn(process.execPath, [file, ...options], { stdio: 'ignore' });
}
