import type { ModuleId } from '../rules/module.ts';
import { replacePlaceholders, type Variables } from '../rules/placeholders.ts';
import { HEADER_CHARACTERS_MAX, type Header } from './sending.ts';

/** How a request authenticates, with the secret in clear. */
export type Authentication =
  | { readonly type: 'none' }
  | { readonly type: 'apiKey'; readonly headerName: string; readonly secret: string }
  | { readonly type: 'bearer'; readonly secret: string }
  | { readonly type: 'basic'; readonly username: string; readonly secret: string };

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** `reason` is for the person who saves the rule. */
export type ReadHeaders =
  | { readonly ok: true; readonly headers: readonly NamedValue[] }
  | { readonly ok: false; readonly reason: string };

const HEADERS_MAX = 30;
const NAME_CHARACTERS_MAX = 100;
const VALUE_CHARACTERS_MAX = 2_000;

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What the HTTP client takes: tab, and Latin-1 without control characters. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Those that frame a message, speak to the next hop only, or tell the receiver which run this is. */
const SYSTEM =
  /^(content-type|content-length|host|connection|transfer-encoding|x-service-idempotency-key|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

/** Checks the custom headers of a rule before they are saved. Of several with one name, the last one stays. */
export function readHeaders(headers: readonly NamedValue[]): ReadHeaders {
  if (headers.length > HEADERS_MAX) return refused(`must be at most ${HEADERS_MAX}`);
  for (const { name, value } of headers) {
    const reason = whyNotName(name) ?? whyNotValue(value);
    if (reason !== undefined) return refused(`${JSON.stringify(name.slice(0, NAME_CHARACTERS_MAX))}: ${reason}`);
  }
  const merged = lastOfEachName(headers.map(({ name, value }) => [name, value]));
  return { ok: true, headers: merged.map(([name, value]) => ({ name, value })) };
}

/** Why an API key cannot be sent in a header of this name; undefined if it can. */
export function whyNotKeyHeader(name: string): string | undefined {
  return whyNotName(name) ?? (SYSTEM.test(name) ? 'is a header that the service itself sets' : undefined);
}

/** Why a secret cannot be sent as it is, which API keys and bearer tokens are; undefined if it can. */
export function whyNotSecret(secret: string): string | undefined {
  const fits = VALUE.test(secret) && secret.trim() === secret;
  return fits ? undefined : 'must be one line without blanks around it, and hold no characters outside Latin-1';
}

function whyNotName(name: string): string | undefined {
  if (name.length > NAME_CHARACTERS_MAX) return `the name must have at most ${NAME_CHARACTERS_MAX} characters`;
  if (!NAME.test(name)) return "the name must consist of letters, digits and !#$%&'*+.^_`|~-";
  return undefined;
}

function whyNotValue(value: string): string | undefined {
  if (value.length > VALUE_CHARACTERS_MAX) return `the value must have at most ${VALUE_CHARACTERS_MAX} characters`;
  if (!VALUE.test(value)) return 'the value must be one line and hold no characters outside Latin-1';
  return undefined;
}

function refused(reason: string): ReadHeaders {
  return { ok: false, reason };
}

/**
 * The custom headers of a run. Only consent rules have placeholders in them; in other modules they are sent as entered.
 * What a placeholder brings in may be impossible to send: then the attempt says `invalid_request`.
 */
export function customHeaders(
  headers: readonly NamedValue[],
  module: ModuleId,
  variables: Variables,
): readonly Header[] {
  if (module !== 'consent') return headers.map(({ name, value }) => [name, value]);
  // One character more than can be sent is enough to be refused.
  const replaced = (value: string) => replacePlaceholders(value, variables, HEADER_CHARACTERS_MAX);
  return headers.map(({ name, value }) => [name, replaced(value).slice(0, HEADER_CHARACTERS_MAX + 1)]);
}

/** All headers of an attempt, in order, except those that the sender derives from target and body. */
export function requestHeaders(run: {
  readonly idempotencyKey: string;
  readonly custom: readonly Header[];
  readonly authentication: Authentication;
}): readonly Header[] {
  const free = [...run.custom, ...authHeader(run.authentication)].filter(([name]) => !SYSTEM.test(name));
  return [
    ['Content-Type', 'application/json'],
    ['X-Service-Idempotency-Key', run.idempotencyKey],
    ...lastOfEachName([['Accept-Encoding', 'identity'], ['User-Agent', 'five-services-webhooks'], ...free]),
  ];
}

/** The headers of an attempt as the delivery log shows them. */
export function maskedHeaders(headers: readonly Header[], authentication: Authentication): readonly Header[] {
  const [secret] = authHeader(authentication);
  if (secret === undefined || SYSTEM.test(secret[0])) return headers;
  const scheme = { none: '', apiKey: '', bearer: 'Bearer ', basic: 'Basic ' }[authentication.type];
  const isSecret = ([name]: Header) => name.toLowerCase() === secret[0].toLowerCase();
  return headers.map((header) => (isSecret(header) ? [header[0], `${scheme}***`] : header));
}

function authHeader(authentication: Authentication): readonly Header[] {
  const { type } = authentication;
  if (type === 'none') return [];
  if (type === 'apiKey') return [[authentication.headerName, authentication.secret]];
  if (type === 'bearer') return [['Authorization', `Bearer ${authentication.secret}`]];
  const pair = Buffer.from(`${authentication.username}:${authentication.secret}`).toString('base64');
  return [['Authorization', `Basic ${pair}`]];
}

/** The client sends only the last of those whose names differ in case; so we say ourselves which that is, and where. */
function lastOfEachName(headers: readonly Header[]): readonly Header[] {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}
