import * as z from 'zod';
import type { Operation } from '#shared/http/operation';
import { RATE_HEADERS } from '#shared/metering/rate-headers';
import type { Json } from './components.ts';
import { partsOf } from './document.ts';
import type { Interface } from './interface.ts';
import { PROBLEM_DETAILS } from './problem-schema.ts';

/** Each POST that changes nothing, and one whose body has an id by which it is taken once. */
const WITHOUT_KEY: ReadonlySet<string> = new Set([
  'POST /manage/v1/rules/preview',
  'POST /manage/v1/imports/preview',
  'POST /manage/v1/loyalty/imports/preview',
  'POST /manage/v1/events',
]);
const takesKey = ({ route }: Operation) => route.startsWith('POST ') && !WITHOUT_KEY.has(route);

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeats of a request with the same key and the same credential get its first answer, for a day.',
  schema: { type: 'string', minLength: 1, maxLength: 257, pattern: '^(?:[!#-\\[\\]-~]+|"[ -~]+")$' },
};

function takesCursor({ query }: Operation): boolean {
  // A query that is transformed is a pipe, of which a caller sees the beginning.
  const input = query instanceof z.ZodPipe ? query.in : query;
  return input instanceof z.ZodObject && 'cursor' in input.shape;
}

const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'The scheme of the credential: Bearer.' },
  409: { 'Retry-After': 'Seconds to wait; for idempotency-in-progress.' },
  415: { 'Accept-Encoding': 'The encodings of a body that are accepted.' },
  429: { 'Retry-After': 'Seconds to wait before the next try.' },
  503: { 'Retry-After': 'Seconds to wait before the next try.' },
};

/** Routes that work on resources of one tenant, which an operator names. In the others the path or a filter does. */
const OF_ONE_TENANT = / \/manage\/v1\/(?!(accounts|audit|imports|me|system)(\/|$)|people\/\{name\})/;
const TENANT = {
  name: 'tenant',
  in: 'query',
  description: 'The tenant to act for. Operators name it; others have their own.',
  schema: { type: 'string' },
};

/** `/manage/v1`: what administrators and their programs use. */
export const MANAGEMENT: Interface = {
  title: 'Management API',
  version: '1.3.0',
  description: [
    'Accounts, credentials, webhooks, places, image validations, plans and usage of a tenant.',
    'Send `Authorization: Bearer` with a management key or the token of a signed-in person. An operator acts for a tenant with `?tenant=ID`.',
    'Lists take `limit` and `cursor`, newest first; `nextCursor` is absent on the last page, and so is the header `Link` that names the next one. Errors are problem details (RFC 9457) whose `code` is stable.',
  ].join('\n\n'),
  prefixes: ['/manage/v1/'],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'A management key (`mk_…`) or the token of a person.' },
  },
  security: [{ bearer: [] }],
  headers: RATE_HEADERS,
  ownHeaders: (operation) => ({
    ...(takesKey(operation) && { 'Idempotent-Replayed': 'True if this is the answer of the first try.' }),
    ...(takesCursor(operation) && { Link: 'The address of the next page, with rel="next".' }),
  }),
  // A limited call states its limits as an answered one does.
  errorHeaders: (status, { headers }) => ({
    ...RATE_HEADERS,
    ...ERROR_HEADERS[status],
    ...(status === 429 && headers),
  }),
  gateway: [414, 429, 500, 503],
  parameters: (operation) => [
    ...(OF_ONE_TENANT.test(operation.route) ? [TENANT] : []),
    ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : []),
  ],
  errorsOf: (operation) => ({
    ...((operation.query || operation.body || operation.path) && {
      400: [
        'invalid-input',
        'tenant-required',
        ...(operation.query ? ['invalid-cursor'] : []),
        ...(operation.body ? ['invalid-json', 'invalid-body'] : []),
      ],
    }),
    401: ['unauthorized', 'no-tenant'],
    403: ['account-suspended', 'scope-required', 'role-required', 'operator-required'],
    404: ['not-found'],
    ...(takesKey(operation) && { 409: ['idempotency-in-progress'], 422: ['idempotency-key-reused'] }),
    429: ['rate-limited'],
    ...(!/^(get|delete) /.test(partsOf(operation.route).join(' ')) && {
      413: ['payload-too-large'],
      415: ['unsupported-media-type'],
    }),
    500: ['internal-error'],
    503: ['unavailable'],
  }),
  error: PROBLEM_DETAILS,
};
