/** The `aws-chunked` framing in which S3 clients send bodies whose hash or checksum they know only at the end. */
import { timingSafeEqual } from 'node:crypto';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { sha256Hex } from './canonical.ts';
import type { Claim } from './claim.ts';
import { hmac } from './signing-key.ts';

export interface DecodedPayload {
  readonly body: Buffer;
  /** Headers that came after the body, lower-case names. */
  readonly trailers: Readonly<Record<string, string>>;
}

/** The signing of chunks: each signature continues from the one before, the first from that of the request. */
export interface ChunkSigning {
  readonly key: Buffer;
  readonly claim: Claim;
}

const EMPTY_HASH = sha256Hex('');

export function decodeChunked(framed: Buffer, payloadType: string, signing: ChunkSigning): DecodedPayload {
  const signed = payloadType.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD');
  let previous = signing.claim.signature;
  const chunks: Buffer[] = [];
  let offset = 0;
  for (;;) {
    const { size, signature, dataAt } = chunkHead(framed, offset);
    const data = framed.subarray(dataAt, dataAt + size);
    if (data.length !== size) throw incomplete();
    if (signed) {
      previous = verified(
        signature,
        stringToSign(signing.claim, 'AWS4-HMAC-SHA256-PAYLOAD', [previous, EMPTY_HASH, sha256Hex(data)]),
        signing.key,
      );
    }
    offset = dataAt + size;
    if (size === 0) break;
    chunks.push(data);
    if (framed.toString('latin1', offset, offset + 2) !== '\r\n') throw incomplete();
    offset += 2;
  }
  const trailers = trailersAt(framed, offset);
  if (signed && payloadType.endsWith('-TRAILER')) {
    const { 'x-amz-trailer-signature': signature, ...rest } = trailers;
    const canonical = Object.entries(rest)
      .map(([name, value]) => `${name}:${value}\n`)
      .join('');
    verified(
      signature,
      stringToSign(signing.claim, 'AWS4-HMAC-SHA256-TRAILER', [previous, sha256Hex(canonical)]),
      signing.key,
    );
    return { body: Buffer.concat(chunks), trailers: rest };
  }
  return { body: Buffer.concat(chunks), trailers };
}

function chunkHead(framed: Buffer, offset: number) {
  const end = framed.indexOf('\r\n', offset, 'latin1');
  const line = end < 0 ? '' : framed.toString('latin1', offset, end);
  const [, size, signature] = /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? [];
  if (size === undefined) throw incomplete();
  return { size: Number.parseInt(size, 16), signature, dataAt: end + 2 };
}

function trailersAt(framed: Buffer, offset: number): Record<string, string> {
  const trailers: Record<string, string> = {};
  for (const line of framed.toString('latin1', offset).split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) trailers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return trailers;
}

function stringToSign({ timestamp, scope }: Claim, algorithm: string, rest: readonly string[]): string {
  return [algorithm, timestamp, `${scope.date}/${scope.region}/${scope.service}/aws4_request`, ...rest].join('\n');
}

function verified(signature: string | undefined, text: string, key: Buffer): string {
  const expected = hmac(key, text);
  if (
    signature === undefined ||
    !timingSafeEqual(expected, Buffer.from(signature.padEnd(64, '0').slice(0, 64), 'hex'))
  ) {
    throw new CallRefusal(
      403,
      'SignatureDoesNotMatch',
      'The signature of a chunk does not match the signature we calculated.',
    );
  }
  return signature;
}

function incomplete(): CallRefusal {
  return new CallRefusal(400, 'IncompleteBody', 'The request body is not a complete aws-chunked payload.');
}
