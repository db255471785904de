import type { Interface } from './interface.ts';
import { PROBLEM_DETAILS } from './problem-schema.ts';

const RATE_HEADERS = {
  'RateLimit-Limit': 'Tokens of the bucket: the burst that the plan allows.',
  'RateLimit-Remaining': 'Tokens that are left.',
  'RateLimit-Reset': 'Seconds until the bucket is full; when limited, until the next token.',
  'RateLimit-Policy': 'The limits, as structured fields (draft-ietf-httpapi-ratelimit-headers-11).',
  RateLimit: 'What is left of them, as structured fields.',
  'X-Data-Version': 'The version of units, codes and zones that answers come from.',
};
const MORE_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  409: { 'Retry-After': 'Seconds to wait.' },
  415: { 'Accept-Encoding': 'The encodings of a body that are accepted.' },
  429: { 'Retry-After': 'Seconds to wait; absent for quota-exceeded.' },
  503: { 'Retry-After': 'Seconds to wait.' },
};

/** `/v1`: the metered conversion API, and access tokens for its test clients. */
export const CONVERSIONS: Interface = {
  title: 'Conversion API',
  version: '1.1.0',
  description: [
    'Exact conversions, normalisation, validation and enrichment of business, product and property records.',
    'Send `Authorization: Bearer` with a conversion key. Every request takes a token of the account; a metered one takes a conversion too, unless it fails for a reason of the service.',
    'A request that is sent again with the same `Idempotency-Key` gets its first answer, for a day, and is not counted.',
  ].join('\n\n'),
  prefixes: ['/v1/', '/oauth/'],
  securitySchemes: {
    key: { type: 'http', scheme: 'bearer', description: 'A conversion key: cv_live_… or cv_test_….' },
    client: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } } },
  },
  security: [{ key: [] }, { client: [] }],
  headers: RATE_HEADERS,
  errorHeaders: (status, { headers }): Readonly<Record<string, string>> => {
    if (status === 401) return { 'WWW-Authenticate': 'The scheme of the credential.' };
    return { ...RATE_HEADERS, ...headers, ...MORE_HEADERS[status] };
  },
  gateway: [414, 429, 500, 503],
  errorsOf: ({ isPublic = false }) =>
    isPublic
      ? { 413: ['invalid_request'], 415: ['invalid_request'], 500: ['server_error'], 503: ['temporarily_unavailable'] }
      : {
          401: ['unauthorized'],
          403: ['account-suspended'],
          413: ['payload-too-large'],
          429: ['rate-limited'],
          500: ['internal'],
          503: ['unavailable'],
        },
  error: PROBLEM_DETAILS,
  parameters: ({ body, isPublic = false }) => (body && !isPublic ? METERED_PARAMETERS : []),
};

const METERED_PARAMETERS = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Repeats of a request with the same key get its first answer, for a day, and are not counted.',
    schema: { type: 'string', minLength: 1, maxLength: 257, pattern: '^(?:[!#-\\[\\]-~]+|"[ -~]+")$' },
  },
  {
    name: 'X-Data-Version',
    in: 'header',
    description: 'Refuses the request unless answers come from this version of units, codes and zones.',
    schema: { type: 'string' },
  },
];
