import * as z from 'zod';
import type { Operation } from '#shared/http/operation';
import { LOYALTY_CODES, type LoyaltyCode } from '#shared/loyalty/loyalty-error';
import type { Json } from './components.ts';
import type { Interface } from './interface.ts';

const LoyaltyError = z
  .object({
    status: z.enum(['error']),
    errors: z
      .object({
        code: z.enum(Object.keys(LOYALTY_CODES) as LoyaltyCode[]).meta({ description: 'Stable: decide by it.' }),
        message: z.string().meta({ description: 'What is wrong, for people.' }),
      })
      .meta({ id: 'LoyaltyErrorDetail' }),
  })
  .meta({ id: 'LoyaltyError', description: 'A call that failed.' });

/** True if the path names a customer; otherwise only a token can. */
const namesCustomer = ({ route }: Operation) => /\{(?:user_id|external_id)\}/.test(route);

const authToken = (required: boolean): Json => ({
  name: 'auth_token',
  in: 'query',
  description: 'The token of an anonymous customer.',
  required,
  schema: { type: 'string' },
});

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Names the call, so that a repetition within a day has the same answer and creates nothing.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};
const takesIdempotencyKey = ({ route }: Operation) => /^POST .*\/image_validations$/.test(route);

const DEPRECATION_HEADERS = {
  Deprecation: 'Since when new integrations are discouraged (RFC 9745), if they are.',
  Link: 'The page that says more about it, with rel="deprecation".',
};

const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'The scheme of the credential: Basic.' },
  415: { 'Accept-Encoding': 'The encodings of a body that are accepted.' },
};

/** `/priv/v1` and `/api/v1`: what apps call for their customers. */
export const LOYALTY: Interface = {
  title: 'Loyalty API',
  version: '1.1.0',
  description: [
    'Places around customers, check-ins, and receipts or pictures that customers submit. No longer supported for new integrations.',
    'Below `/priv/v1`, send the api key and the api secret of an app as `Authorization: Basic`; the path names the customer, or `auth_token` an anonymous one. Below `/api/v1`, `auth_token` is enough.',
    'A call that was carried out answers 200, even if its outcome is negative: decide by `status`, which is `ok` or `error`, and by the code of the error. Unknown parameters and members are ignored. Distances are in metres.',
  ].join('\n\n'),
  prefixes: ['/priv/v1/', '/api/v1/'],
  securitySchemes: {
    app: { type: 'http', scheme: 'basic', description: 'The api key and the api secret of an app.' },
  },
  security: [{ app: [] }],
  parameters: (operation) => [
    ...(namesCustomer(operation) ? [] : [authToken(operation.isPublic ?? false)]),
    ...(takesIdempotencyKey(operation) ? [IDEMPOTENCY_KEY] : []),
  ],
  headers: DEPRECATION_HEADERS,
  errorHeaders: (status) => ({ ...DEPRECATION_HEADERS, ...ERROR_HEADERS[status] }),
  gateway: [414, 429, 500, 503],
  errorsOf: (operation) => ({
    200: ['argument_error'],
    401: [
      'invalid_api_key',
      ...(operation.isPublic ? [] : ['access_denied']),
      ...(namesCustomer(operation) ? [] : ['invalid_auth_token']),
    ],
    403: ['account_suspended'],
    ...(namesCustomer(operation) && { 404: ['user_not_found'] }),
    413: ['payload_too_large'],
    ...(operation.body && { 415: ['unsupported_media_type'] }),
    500: ['internal_server_error'],
  }),
  error: {
    mediaType: 'application/json',
    schema: (components) => components.schemaOf(LoyaltyError, 'output'),
    codeOf: ({ errors }) => (errors as { readonly code?: unknown } | undefined)?.code,
    discriminator: { propertyName: 'status', answer: 'ok', error: 'error' },
  },
};
