import { open, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DownloadFolder, Part } from './download-folder.ts';
import { causeOf } from './public-api.ts';
import {
  isNetworkFailure,
  isTemporary,
  MAX_FAILURES,
  type Pause,
  retryAfterMillis,
  Temporary,
  waitMillis,
} from './retry.ts';

/** Links to the files of a download, by name. Each lasts some hours. */
export interface Links {
  of(name: string): string;
  /** Gets new links, unless this one has been replaced already. */
  renew(name: string, refused: string): Promise<void>;
}

export interface FetchDeps {
  readonly folder: DownloadFolder;
  readonly links: Links;
  readonly pause: Pause;
}

/** The action after the response to a request for a file. */
export type Step =
  /** Write the body from this byte on; the file has `total` bytes, if that is known. */
  | { readonly kind: 'write'; readonly from: number; readonly total: number | undefined }
  /** The stored file does not match the part. */
  | { readonly kind: 'start-over' }
  | { readonly kind: 'renew-link' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'give-up' };

/** The byte where a part resumes. Its last byte is fetched again, so that a complete part is no error. */
const resumeAt = (part: Part | undefined): number =>
  part === undefined || part.etag === '' ? 0 : Math.max(0, part.bytes - 1);

/** Decides on an answer. `part` is the part that the request resumed. */
export function stepAfter(status: number, headers: Headers, part: Part | undefined): Step {
  const from = resumeAt(part);
  if (status === 200) return { kind: 'write', from: 0, total: lengthIn(headers) };
  if (status === 206) {
    const [, first, total] = /^bytes ([0-9]+)-[0-9]+\/([0-9]+)$/.exec(headers.get('content-range') ?? '') ?? [];
    const goesOn = from > 0 && Number(first) === from && headers.get('etag') === part?.etag;
    return goesOn ? { kind: 'write', from, total: Number(total) } : { kind: 'start-over' };
  }
  if (status === 412 || status === 416) return { kind: 'start-over' };
  // An expired link is refused with 403, or with 400 when the credentials behind it have expired.
  if ([400, 403, 404].includes(status)) return { kind: 'renew-link' };
  return { kind: isTemporary(status) ? 'wait' : 'give-up' };
}

const lengthIn = (headers: Headers): number | undefined => {
  const length = headers.get('content-length');
  return length === null ? undefined : Number(length);
};

/** Fetches a file of a download, resuming where an earlier try was cut. Gives up after some tries without progress. */
export async function fetchFile(deps: FetchDeps, name: string, signal: AbortSignal): Promise<void> {
  const { folder, pause } = deps;
  let bytes = (await folder.part(name))?.bytes ?? 0;
  for (let failures = 0; ; ) {
    try {
      return await tryFile(deps, name, signal);
    } catch (error) {
      if (!(error instanceof Temporary)) throw error;
      const now = (await folder.part(name))?.bytes ?? 0;
      failures = now > bytes ? 1 : failures + 1;
      bytes = now;
      if (failures >= MAX_FAILURES) throw error;
      await pause(waitMillis(failures, error, Math.random()));
    }
  }
}

async function tryFile({ folder, links }: FetchDeps, name: string, signal: AbortSignal): Promise<void> {
  const part = await folder.part(name);
  const link = links.of(name);
  const from = resumeAt(part);
  // The stored bytes are requested without compression, and without a token: the link is its own permission.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (part && from > 0) Object.assign(headers, { range: `bytes=${from}-`, 'if-match': part.etag });
  try {
    const response = await fetch(link, { headers, signal });
    const step = stepAfter(response.status, response.headers, part);
    if (step.kind === 'write') {
      const path = part && step.from > 0 ? part.path : await folder.newPart(name, response.headers.get('etag'));
      await write(path, step, response.body);
      return await folder.finish(path, name);
    }
    const refusal = `${name}: the storage answered ${response.status}. ${(await response.text()).slice(0, 500)}`;
    if (step.kind === 'give-up') throw new Error(refusal);
    if (step.kind === 'start-over') await folder.newPart(name, null);
    if (step.kind === 'renew-link') await links.renew(name, link);
    throw new Temporary(refusal, { afterMillis: retryAfterMillis(response.headers) });
  } catch (error) {
    if (!isNetworkFailure(error)) throw error;
    const message = `${name}: the connection to ${new URL(link).host} broke. Run the same command again to resume.`;
    throw new Temporary(message, { cause: causeOf(error) });
  }
}

async function write(
  path: string,
  { from, total }: { from: number; total: number | undefined },
  body: Response['body'],
): Promise<void> {
  const file = await open(path, from === 0 ? 'w' : 'r+');
  await file.truncate(from);
  const bytes = body === null ? Readable.from([]) : Readable.from(body);
  await pipeline(bytes, file.createWriteStream({ start: from, flush: true }));
  const { size } = await stat(path);
  if (total === undefined || size === total) return;
  await rm(path);
  throw new Temporary(`${path} has ${size} bytes instead of ${total}.`);
}
