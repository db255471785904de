import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DownloadFolder } from '../../../functions/records/commands/download-folder.ts';
import { fetchFile, type Links, stepAfter } from '../../../functions/records/commands/file-fetch.ts';
import { polled } from '../../support/runner/machine-time.ts';

const NAME = '5_1.txt';
const BYTES = Buffer.from('0123456789'.repeat(10_000));
const part = { path: '5_1.txt.abc.part', etag: '"abc"', bytes: 101 };

describe('the answer to a request for a file', () => {
  const next = (status: number, headers: Record<string, string> = {}) => stepAfter(status, new Headers(headers), part);
  const range = { 'content-range': 'bytes 100-999/1000', etag: '"abc"' };

  it('goes on with a part when it begins where the part ends and is of the same version', () => {
    expect(next(206, range)).toEqual({ kind: 'write', from: 100, total: 1000 });
  });

  it.each([
    ['another version', { ...range, etag: '"def"' }],
    ['another place', { ...range, 'content-range': 'bytes 0-999/1000' }],
    ['no range', { etag: '"abc"' }],
    ['an unknown size', { ...range, 'content-range': 'bytes 100-999/*' }],
  ])('with %s has it start over', (_what, headers) => {
    expect(next(206, headers)).toEqual({ kind: 'start-over' });
  });

  it('with all bytes replaces the part', () => {
    expect(next(200, { 'content-length': '1000' })).toEqual({ kind: 'write', from: 0, total: 1000 });
    expect(next(200)).toEqual({ kind: 'write', from: 0, total: undefined });
  });

  it.each([
    [412, 'start-over'],
    [416, 'start-over'],
    [400, 'renew-link'],
    [403, 'renew-link'],
    [404, 'renew-link'],
    [429, 'wait'],
    [500, 'wait'],
    [503, 'wait'],
    [302, 'give-up'],
    [405, 'give-up'],
  ])('%i means: %s', (status, kind) => {
    expect(next(status)).toEqual({ kind });
  });
});

describe('fetching a file', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  let path: string;
  let folder: DownloadFolder;
  let server: Server;
  let answers: Answer[];
  let asked: IncomingMessage[];
  let renewals: number;
  beforeEach(async () => {
    path = mkdtempSync(join(tmpdir(), 'file-fetch-'));
    folder = new DownloadFolder(path);
    answers = [];
    asked = [];
    renewals = 0;
    server = createServer((request, response) => {
      asked.push(request);
      (answers.shift() ?? whole())(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(path, { recursive: true });
  });

  const link = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/link-${renewals}`;
  const links: Links = {
    of: link,
    async renew() {
      renewals += 1;
    },
  };
  const fetching = () => fetchFile({ folder, links, pause: async () => {} }, NAME, new AbortController().signal);
  const content = () => readFileSync(join(path, NAME));
  /** Bytes of the file that are in the folder. */
  const savedBytes = () => Math.max(0, ...readdirSync(path).map((name) => statSync(join(path, name)).size));

  const status =
    (code: number): Answer =>
    (_request, response) =>
      response.writeHead(code).end('no');
  /** Answers as an object store does, including ranges and conditions. */
  const whole =
    (etag = '"abc"', bytes = BYTES): Answer =>
    ({ headers }, response) => {
      if (headers['if-match'] && headers['if-match'] !== etag) return response.writeHead(412).end();
      const from = Number(/^bytes=([0-9]+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      const length = bytes.length - from;
      const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': length, ...(from > 0 && range) });
      return response.end(bytes.subarray(from));
    };
  const cutAfter =
    (count: number, etag = '"abc"'): Answer =>
    ({ headers }, response) => {
      const from = Number(/^bytes=([0-9]+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      const range = { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` };
      const length = BYTES.length - from;
      response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': length, ...(from > 0 && range) });
      response.write(BYTES.subarray(from, from + count));
      // A client that hears of the cut before it has read the bytes loses them.
      void polled(savedBytes, (bytes) => bytes >= Math.min(from + count, BYTES.length)).then(() => response.destroy());
    };

  it('leaves it under its name and nothing else, and sends no credentials', async () => {
    await fetching();
    expect(content().equals(BYTES)).toBe(true);
    expect(readdirSync(path)).toEqual([NAME]);
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  it('goes on after every cut, more often than it would try without progress', async () => {
    answers = Array.from({ length: 9 }, () => cutAfter(10_000));
    await fetching();
    expect(content().equals(BYTES)).toBe(true);
    expect(asked.slice(1).every(({ headers }) => headers.range !== undefined)).toBe(true);
  });

  it('goes on with a part of an earlier run, also with one that is complete', async () => {
    writeFileSync(join(path, `${NAME}.abc.part`), BYTES.subarray(0, 40_000));
    await fetching();
    expect(content().equals(BYTES)).toBe(true);
    rmSync(join(path, NAME));
    writeFileSync(join(path, `${NAME}.abc.part`), BYTES);
    await fetching();
    expect(content().equals(BYTES)).toBe(true);
    expect(asked.map(({ headers }) => headers.range)).toEqual(['bytes=39999-', 'bytes=99999-']);
  });

  it('starts over when the object is another one meanwhile', async () => {
    const other = Buffer.from('x'.repeat(50_000));
    answers = [cutAfter(20_000), whole('"def"', other), whole('"def"', other)];
    await fetching();
    expect(content().equals(other)).toBe(true);
    expect(readdirSync(path)).toEqual([NAME]);
  });

  it('starts over with a part longer than the object', async () => {
    writeFileSync(join(path, `${NAME}.abc.part`), Buffer.alloc(BYTES.length + 10));
    answers = [status(416)];
    await fetching();
    expect(content().equals(BYTES)).toBe(true);
  });

  it('starts over where ranges are not supported', async () => {
    writeFileSync(join(path, `${NAME}.abc.part`), 'something');
    answers = [(_request, response) => response.writeHead(200, { etag: '"abc"' }).end(BYTES)];
    await fetching();
    expect(content().equals(BYTES)).toBe(true);
  });

  it('renews a refused link', async () => {
    answers = [status(403), status(400)];
    await fetching();
    expect(asked.map(({ url }) => url)).toEqual(['/link-0', '/link-1', '/link-2']);
  });

  it('tries again when the storage is busy', async () => {
    answers = [status(503), status(500), status(429)];
    await fetching();
    expect(asked).toHaveLength(4);
  });

  it('gives up in the end, with the message of the storage', async () => {
    answers = Array.from({ length: 100 }, () => status(503));
    await expect(fetching()).rejects.toThrow(`${NAME}: the storage answered 503. no`);
    expect(asked).toHaveLength(6);
  });
});
