/** The Lambda authorisers of an HTTP API, as templates declare them. */
import { z } from 'zod';
import { ignored, numeric } from '../cloudformation/property.ts';
import type { LambdaAuthorizer } from './lambda-authorizer.ts';

const HEADER = /^\$request\.header\.(.+)$/;

export const AuthorizerProperties = z
  .strictObject({
    ApiId: z.string(),
    AuthorizerType: z.literal('REQUEST', { error: 'the local cloud has Lambda authorisers only' }),
    AuthorizerUri: z.string(),
    AuthorizerPayloadFormatVersion: z.literal('2.0', { error: 'the local cloud asks authorisers in format 2.0' }),
    EnableSimpleResponses: z.literal([true, 'true'], { error: 'the local cloud has simple responses only' }),
    IdentitySource: z
      .array(z.string().regex(HEADER, { error: 'the local cloud has headers as identity sources only' }))
      .default([]),
    AuthorizerResultTtlInSeconds: numeric.pipe(z.int().min(0).max(3600)).default(0),
    Name: ignored,
  })
  .refine(({ IdentitySource, AuthorizerResultTtlInSeconds: ttl }) => ttl === 0 || IdentitySource.length > 0, {
    error: 'without an identity source, answers cannot be cached',
  });

/** AWS gives an authoriser this long, whatever the timeout of its function. */
const TIMEOUT_MILLIS = 10_000;

export function authorizerOf(id: string, declared: z.output<typeof AuthorizerProperties>): LambdaAuthorizer {
  return {
    id,
    functionArn: functionArnOf(declared.AuthorizerUri),
    identityHeaders: declared.IdentitySource.map((source) => source.replace(HEADER, '$1').toLowerCase()),
    ttlSeconds: declared.AuthorizerResultTtlInSeconds,
    timeoutMillis: TIMEOUT_MILLIS,
  };
}

/** Returns the ARN of a function, which API Gateway also writes as a long address. */
export function functionArnOf(uri: string): string {
  return /functions\/(arn:[^/]+)\/invocations/.exec(uri)?.[1] ?? uri;
}
