import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';

const AccessToken = named(
  'AccessToken',
  z.object({ access_token: z.string(), token_type: z.enum(['Bearer']), expires_in: z.int() }),
  'RFC 6749, section 5.1.',
);

const OAuthError = named(
  'OAuthError',
  z.object({ error: z.string(), error_description: z.string() }),
  'RFC 6749, section 5.2.',
);

const TokenRequest = named(
  'TokenRequest',
  z.object({
    grant_type: z.enum(['client_credentials']),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
  'The client authenticates by HTTP Basic, or by these members.',
);

/** Access tokens of test clients (RFC 6749, section 4.4). */
export const tokenOperations = operations({
  createAccessToken: {
    route: 'POST /oauth/token',
    summary: 'Create an access token for a test client',
    description: 'The token is valid for a quarter of an hour.',
    isPublic: true,
    bodyType: 'application/x-www-form-urlencoded',
    body: TokenRequest,
    example: { grant_type: 'client_credentials' },
    answers: { 200: AccessToken },
    errorBody: OAuthError,
    errors: {
      400: ['invalid_request'],
      401: ['invalid_client'],
      403: ['unauthorized_client'],
      429: ['temporarily_unavailable'],
    },
  },
});
