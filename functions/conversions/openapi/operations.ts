import { DATA_VERSION } from '../serving/data-version.ts';
import { type DescribedRoute, type Json, ref, titled } from './schemas.ts';

const QUOTA_HEADERS = ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Cost'];
const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];

/** Rate and quota headers, which every answer to an authenticated caller has. */
export const headerSchemas = (): Json => ({
  'RateLimit-Limit': header('Tokens of the bucket: the burst that the plan allows.', 'integer'),
  'RateLimit-Remaining': header('Tokens that are left.', 'integer'),
  'RateLimit-Reset': header('Seconds until the bucket is full; when limited, until the next token.', 'integer'),
  'RateLimit-Policy': header('draft-ietf-httpapi-ratelimit-headers-11', 'string'),
  RateLimit: header('draft-ietf-httpapi-ratelimit-headers-11', 'string'),
  'X-Quota-Limit': header('Conversions that are included in the period, or the size of the test pool.', 'integer'),
  'X-Quota-Remaining': header('Of these, before this request.', 'integer'),
  'X-Quota-Cost': header('What this request costs: 1, or 0 if it does not count.', 'integer'),
  'Retry-After': header('Seconds to wait.', 'integer'),
});

const header = (description: string, type: string) => ({ description, schema: { type } });
const headers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

const METERED = [...RATE_HEADERS, ...QUOTA_HEADERS];

/** The problems that routes answer with, by status. */
const RESPONSES = {
  400: { description: 'The request has mistakes; each is told with its place. It counts.', headers: METERED },
  401: { description: 'There is no credential, or none that is in force. Never counted.', headers: [] },
  406: { description: 'The answer is not available in this form. Not counted.', headers: METERED },
  409: {
    description: 'The first request with this Idempotency-Key has no answer yet.',
    headers: [...METERED, 'Retry-After'],
  },
  413: {
    description:
      'The body is larger than 256 KiB, as it was sent or inflated. Not counted; as it was sent it takes no token either, and the answer has no headers of limits.',
    headers: METERED,
  },
  415: { description: 'The body is not declared as JSON. Not counted.', headers: METERED },
  422: { description: 'What is requested cannot be done. It counts.', headers: METERED },
  429: {
    description: 'rate-limited or quota-exceeded; only the first has Retry-After. Never counted.',
    headers: [...METERED, 'Retry-After'],
  },
  500: { description: 'A fault of the service. Not counted.', headers: METERED },
  503: { description: 'unavailable, or deadline. Not counted.', headers: METERED },
} as const;
type Status = keyof typeof RESPONSES;

export const problemResponses = (): Json =>
  Object.fromEntries(
    Object.entries(RESPONSES).map(([status, { description, headers: names }]) => [
      `Problem${status}`,
      {
        description,
        headers: headers(names),
        content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
      },
    ]),
  );

const refused = (...statuses: readonly Status[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, ref('responses', `Problem${status}`)]));

export function meteredOperation({ name, summary, example }: DescribedRoute): Json {
  return {
    operationId: name,
    summary,
    description: `One item, or up to 100 in \`items\`. A list answers 200 as soon as one item went well; each result has its own status.`,
    tags: ['conversions'],
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'Repeats of a request with the same key get its first answer, for a day, and are not counted.',
        schema: { type: 'string', minLength: 1, maxLength: 257 },
      },
      {
        name: 'X-Data-Version',
        in: 'header',
        description: 'Refuses the request unless answers come from this version of units, codes and zones.',
        schema: { type: 'string', const: DATA_VERSION },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('schemas', `${titled(name)}Request`), example } },
    },
    responses: {
      200: {
        description: 'The result.',
        headers: headers(METERED),
        content: { 'application/json': { schema: ref('schemas', `${titled(name)}Answer`) } },
      },
      ...refused(400, 401, 406, 409, 413, 415, 422, 429, 500, 503),
    },
  };
}

export const usageOperation = (): Json => ({
  operationId: 'usage',
  summary: 'What the account has used. Takes a token, no conversion.',
  tags: ['account'],
  responses: {
    200: {
      description: 'Usage of the live quota and of the test pool.',
      headers: headers(RATE_HEADERS),
      content: { 'application/json': { schema: ref('schemas', 'Usage') } },
    },
    ...refused(401, 429, 500, 503),
  },
});

/** RFC 6749, sections 4.4 and 5. */
export const tokenOperation = (): Json => ({
  operationId: 'token',
  summary: 'An access token for a test client.',
  tags: ['account'],
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: {
            grant_type: { const: 'client_credentials' },
            client_id: { type: 'string' },
            client_secret: { type: 'string' },
          },
          required: ['grant_type'],
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The token, for a quarter of an hour.',
      headers: headers(RATE_HEADERS),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              access_token: { type: 'string' },
              token_type: { const: 'Bearer' },
              expires_in: { type: 'integer' },
            },
            required: ['access_token', 'token_type', 'expires_in'],
          },
        },
      },
    },
    400: oauthError('The request is wrong.'),
    401: oauthError('The client is not known, or its secret is wrong.'),
    429: oauthError('The requests per second of the account are used up.'),
  },
});

const oauthError = (description: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { error: { type: 'string' }, error_description: { type: 'string' } },
        required: ['error'],
      },
    },
  },
});
