import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { OPERATION_TYPE } from './configuration.ts';
import { Signature } from './signing.ts';

const Authentication = named(
  'Authentication',
  z.object({
    type: z.enum(['none', 'apiKey', 'bearer', 'basic']),
    secretSet: z.boolean(),
    headerName: z.string().optional(),
    username: z.string().optional(),
  }),
  'How requests authenticate. A secret is never shown.',
);

/** An API configuration in answers. */
export const ApiConfiguration = named(
  'ApiConfiguration',
  z.object({
    id: z.string(),
    name: z.string(),
    targetUrl: z.string(),
    operationType: z.literal(OPERATION_TYPE),
    retryIntervalSeconds: z.int(),
    retryTimeoutSeconds: z.int(),
    maxAttempts: z.int(),
    description: z.string(),
    authentication: Authentication,
    signature: Signature,
    signingSecretSet: z.boolean(),
    previousSigningSecretEndsAt: z.nullable(Time),
    enabled: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  }),
  'The target of webhooks, with their retries and their authentication.',
);

/** The answer to a save. */
export const SavedApiConfiguration = named(
  'SavedApiConfiguration',
  ApiConfiguration.extend({ signingSecret: z.string().optional() }),
  'The API configuration, and the signing secret that was made for it, this once.',
);
