import { isSystemHeader } from './header-rules.ts';
import type { Header } from './sending.ts';

/** The authentication of a request, with the decrypted secret. */
export type Authentication =
  | { readonly type: 'none' }
  | { readonly type: 'apiKey'; readonly headerName: string; readonly secret: string }
  | { readonly type: 'bearer'; readonly secret: string }
  | { readonly type: 'basic'; readonly username: string; readonly secret: string };

/** All headers of an attempt, in order, except those that the sender derives from target and body. */
export function requestHeaders(run: {
  readonly idempotencyKey: string;
  readonly custom: readonly Header[];
  readonly authentication: Authentication;
  /** The headers of the signature, which replace others of the same name. */
  readonly signature: readonly Header[];
}): readonly Header[] {
  const chosen = [...run.custom, ...authHeader(run.authentication)].filter(([name]) => !isSystemHeader(name));
  const free = [...chosen, ...run.signature];
  return [
    ['Content-Type', 'application/json'],
    ['X-Service-Idempotency-Key', run.idempotencyKey],
    ...lastOfEachName([['Accept-Encoding', 'identity'], ['User-Agent', 'five-services-webhooks'], ...free]),
  ];
}

/** All headers of an attempt as the delivery log shows them. */
export function maskedHeaders({ authHeader, ...run }: MaskedRequest): { name: string; value: string }[] {
  const [headerName, secret] = authHeader ?? [];
  const authentication: Authentication =
    headerName === undefined || secret === undefined ? { type: 'none' } : { type: 'apiKey', headerName, secret };
  return requestHeaders({ ...run, authentication }).map(([name, value]) => ({ name, value }));
}

interface MaskedRequest {
  readonly idempotencyKey: string;
  readonly custom: readonly Header[];
  /** The authentication header without the secret. */
  readonly authHeader: Header | undefined;
  /** The signature headers without the signatures. */
  readonly signature: readonly Header[];
}

/** The header that authenticates an attempt as the delivery log shows it. */
export function maskedAuthHeader(authentication: MaskedAuthentication): Header | undefined {
  const { type } = authentication;
  if (type === 'none') return undefined;
  if (type === 'apiKey') return [authentication.headerName, '***'];
  return ['Authorization', type === 'bearer' ? 'Bearer ***' : 'Basic ***'];
}

type MaskedAuthentication =
  | { readonly type: 'none' | 'bearer' | 'basic' }
  | { readonly type: 'apiKey'; readonly headerName: string };

function authHeader(authentication: Authentication): readonly Header[] {
  const { type } = authentication;
  if (type === 'none') return [];
  if (type === 'apiKey') return [[authentication.headerName, authentication.secret]];
  if (type === 'bearer') return [['Authorization', `Bearer ${authentication.secret}`]];
  return [['Authorization', `Basic ${basicPair(authentication)}`]];
}

/** Encodes user name and password for a header (RFC 7617, in UTF-8). */
export const basicPair = ({ username, secret }: { readonly username: string; readonly secret: string }) =>
  Buffer.from(`${username}:${secret}`).toString('base64');

/**
 * Keeps the last of the headers whose names differ only in case, at the place of the first one. The HTTP client would
 * otherwise choose.
 */
function lastOfEachName(headers: readonly Header[]): readonly Header[] {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}
