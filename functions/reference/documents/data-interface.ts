import * as z from 'zod';
import { RATE_HEADERS } from '#shared/metering/rate-headers';
import type { Interface } from './interface.ts';

const DataError = z
  .object({
    error: z.string().describe('The name of the status.'),
    message: z.string().describe('What is wrong, for people.'),
    code: z.int().describe('The status.'),
    requestId: z.string().optional().describe('On a 500.'),
  })
  .meta({ id: 'DataError' });

const DataRefusal = z
  .object({ error: z.string().describe('What is wrong, for people.') })
  .meta({ id: 'DataRefusal', description: 'The error of a call that is refused for what it says.' });

/** Statuses whose errors have the text alone. */
const TEXT_ALONE: ReadonlySet<number> = new Set([400, 403, 503]);

/** `/v3`: what programs that search and download records use. */
export const DATA: Interface = {
  title: 'Data API',
  version: '1.0.0',
  description: [
    'Search and bulk download of business, product and property records.',
    'Send HTTP Basic with the data token as user name and an empty password. Every path takes GET only. A parameter that an operation does not have is refused, and so is one that occurs twice; an empty one counts as absent.',
    'To download, call `searchRecords` with `download=true`, read the request until its status is `COMPLETED`, and fetch the files that `listResults` links to.',
  ].join('\n\n'),
  prefixes: ['/v3/'],
  ignoresEmpty: true,
  securitySchemes: {
    token: { type: 'http', scheme: 'basic', description: 'The data token is the user name; the password is empty.' },
  },
  security: [{ token: [] }],
  headers: RATE_HEADERS,
  errorHeaders: (status) => ({
    ...RATE_HEADERS,
    ...(status === 401 && { 'WWW-Authenticate': 'The scheme of the credential: Basic.' }),
    ...(status === 429 && { 'Retry-After': 'Seconds to wait before the next try.' }),
  }),
  gateway: [414, 429, 500, 503],
  errorsOf: ({ route }) => ({
    400: ['invalid-input'],
    401: ['unauthorized'],
    // A suspended account reads in its user that it is.
    ...(route.includes(' /v3/users') ? { 404: ['not-found'] } : { 403: ['account-suspended'] }),
    500: ['internal-error'],
  }),
  errorMeanings: {
    400: 'The call is invalid, or there is no such request; `error` says what is wrong.',
    401: 'There is no valid data token.',
    403: 'The account may not do this: it is suspended, its plan lacks the view, or its credit is too small.',
    404: 'There is nothing at this address.',
    414: 'The address is longer than the gateway accepts. A query has at most 8 KB.',
    429: 'Too many searches at once, or too many different records today.',
    500: 'A fault of the service.',
    503: 'The service cannot answer now. Try again.',
  },
  error: {
    mediaType: 'application/json',
    schema: (components, status) => components.schemaOf(TEXT_ALONE.has(status) ? DataRefusal : DataError, 'output'),
  },
};
