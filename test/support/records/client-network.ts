import { readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Cloud } from '../../../cdk/local/cloud.ts';
import { polled } from '../runner/machine-time.ts';

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

export interface Network {
  readonly url: string;
  /** Requests for files, as they came. */
  readonly files: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Decides about answers until the next call, or `mend`. */
  fail(decide: (path: string, answer: Answer) => Fate | undefined): void;
  mend(): void;
  close(): Promise<void>;
}

/** A proxy to the API and the storage of the service that can cause failures. */
export async function startNetwork({ apiUrl, awsUrl }: Pick<Cloud, 'apiUrl' | 'awsUrl'>): Promise<Network> {
  let decide: (path: string, answer: Answer) => Fate | undefined = () => undefined;
  const files: Network['files'] = [];
  const pass = async ({ url: path = '', headers }: IncomingMessage, response: ServerResponse) => {
    const file = isFile(path);
    if (file) files.push({ path, headers });
    const sent = Object.entries(headers).filter(([name]) => ['authorization', 'range', 'if-match'].includes(name));
    const target = `${file ? awsUrl : apiUrl}${path}`;
    const real = await fetch(target, { headers: sent as [string, string][], redirect: 'manual' });
    const bytes = Buffer.from(await real.arrayBuffer());
    const body = file ? bytes : Buffer.from(bytes.toString().replaceAll(awsUrl, url));
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

/** Returns whether a request goes to the storage. */
export const isFile = (path: string): boolean => !path.startsWith('/v3/');

/** The files of a folder that are under way. */
export const partsIn = (folder: string) =>
  namesIn(folder)
    .filter((name) => name.endsWith('.part'))
    .map((name) => statSync(join(folder, name)));

/** The names in a folder, which may not exist. */
export function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
}
