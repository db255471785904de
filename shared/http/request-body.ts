import { gunzipSync } from 'node:zlib';
import { Refusal } from '#shared/errors';
import type { HttpEvent } from './http-handler.ts';

/** The largest size of a body after inflation. */
const EXPANSION_MAX = 10;
const BYTES_MAX = 10 * 1024 * 1024;

/** The largest size of a JSON body or a form. */
export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Refuses a body that is too large, by its declared length and by the length of its text. Nothing is decoded, so that
 * such a request costs one run of the function and nothing else.
 */
export function refuseLargeBody({ headers, body = '', isBase64Encoded }: HttpEvent, bytesMax: number): void {
  const sizes = [Number(headers['content-length'] ?? 0), Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8')];
  const bytes = sizes.find((size) => size > bytesMax);
  if (bytes === undefined) return;
  throw new Refusal(413, 'payload-too-large', `The body has ${bytes} bytes; at most ${bytesMax} are taken.`);
}

/** The body as text, inflated if it was sent as gzip; undefined if there is none. Refuses every other encoding. */
export function textOf(event: HttpEvent): string | undefined {
  const { body = '', isBase64Encoded, headers } = event;
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (!ENCODINGS.has(encoding)) throw unsupported();
  if (!isBase64Encoded)
    return encoding !== 'identity' && isCompressed(Buffer.from(body.slice(0, 2))) ? refuseGzip() : event.body;
  const bytes = Buffer.from(body, 'base64');
  return (encoding === 'identity' || !isCompressed(bytes) ? bytes : inflated(bytes)).toString('utf8');
}

const ENCODINGS = new Set(['identity', 'gzip', 'x-gzip']);

/** A gateway that has inflated a body keeps the header that says gzip, so the first bytes decide. */
const isCompressed = ([first]: Buffer) => first === 0x1f;

function inflated(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(BYTES_MAX, EXPANSION_MAX * bytes.length) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    return refuseGzip(error);
  }
}

function refuseGzip(cause?: unknown): never {
  throw new Refusal(400, 'invalid-body', 'The body is not valid gzip.', { cause });
}

const tooLarge = () =>
  new Refusal(
    413,
    'payload-too-large',
    `The gzip body becomes more than ${EXPANSION_MAX} times as large, or larger than ${BYTES_MAX / 1024 ** 2} MiB. Send it without Content-Encoding.`,
  );

const unsupported = () =>
  new Refusal(415, 'unsupported-media-type', 'Send the body as it is, or with "Content-Encoding: gzip".', {
    headers: { 'accept-encoding': 'gzip' },
  });
