/** The canonical form of a request that Signature Version 4 signs. */
import { createHash } from 'node:crypto';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { ReceivedRequest } from './received.ts';

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function uriDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CallRefusal(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
}

/** Name and value of every query parameter, decoded exactly as the services will read them (`+` is a space). */
export function queryParameters(rawQuery: string): [name: string, value: string][] {
  if (rawQuery === '') return [];
  return rawQuery.split('&').flatMap((pair) => {
    if (pair === '') return [];
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    return [[decodeParameter(name), decodeParameter(value)]];
  });
}

function canonicalQuery(rawQuery: string): string {
  return queryParameters(rawQuery)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** S3 signs the path once encoded, every other service signs it normalised and encoded a second time. */
function canonicalPath(path: string, service: string): string {
  if (service === 's3')
    return path
      .split('/')
      .map((segment) => uriEncode(uriDecode(segment)))
      .join('/');
  return path === '/' ? path : normalised(path).split('/').map(uriEncode).join('/');
}

export function canonicalRequest(
  request: ReceivedRequest,
  service: string,
  signed: { readonly headers: readonly string[]; readonly payloadHash: string },
): string {
  return [
    request.method,
    canonicalPath(request.path, service),
    canonicalQuery(request.rawQuery),
    ...signed.headers.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signed.headers.join(';'),
    signed.payloadHash,
  ].join('\n');
}

export function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function decodeParameter(text: string): string {
  return uriDecode(text.replaceAll('+', ' '));
}

function normalised(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const trailing = path.endsWith('/') && segments.length > 0 ? '/' : '';
  return `/${segments.join('/')}${trailing}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
