/** The authorisers of an HTTP API, as templates declare them. */
import { z } from 'zod';
import type { RouteAuthorizer } from '../http-api/access.ts';
import { identitySource } from '../http-api/identity-source.ts';
import type { JwtAuthorizer } from '../http-api/jwt-authorizer.ts';
import type { LambdaAuthorizer } from '../http-api/lambda-authorizer.ts';
import { flag, ignored, numeric } from './property.ts';

const Jwt = z.strictObject({
  ApiId: z.string(),
  AuthorizerType: z.literal('JWT'),
  IdentitySource: z.array(z.string()).length(1),
  JwtConfiguration: z.strictObject({ Audience: z.array(z.string()).min(1), Issuer: z.string() }),
  Name: ignored,
});

const Lambda = z
  .strictObject({
    ApiId: z.string(),
    AuthorizerType: z.literal('REQUEST'),
    AuthorizerUri: z.string(),
    AuthorizerPayloadFormatVersion: z.literal('2.0', { error: 'the local cloud asks authorisers in format 2.0' }),
    EnableSimpleResponses: flag.default(false),
    IdentitySource: z.array(z.string()).default([]),
    AuthorizerResultTtlInSeconds: numeric.pipe(z.int().min(0).max(3600)).default(0),
    Name: ignored,
  })
  .refine(({ IdentitySource, AuthorizerResultTtlInSeconds: ttl }) => ttl === 0 || IdentitySource.length > 0, {
    error: 'without an identity source, answers cannot be cached',
  });

export const AuthorizerProperties = z.discriminatedUnion('AuthorizerType', [Jwt, Lambda]);

/** Of Lambda authorisers, by AWS. */
const TIMEOUT_MILLIS = 10_000;

export type ApiAuthorizer =
  | { readonly type: 'jwt'; readonly jwt: JwtAuthorizer }
  | { readonly type: 'lambda'; readonly lambda: LambdaAuthorizer };

export function authorizerOf(id: string, declared: z.output<typeof AuthorizerProperties>): ApiAuthorizer {
  if (declared.AuthorizerType === 'JWT') {
    const { IdentitySource, JwtConfiguration } = declared;
    const { Issuer: issuer, Audience: audience } = JwtConfiguration;
    return { type: 'jwt', jwt: { issuer, audience, identitySource: IdentitySource[0] ?? '' } };
  }
  return {
    type: 'lambda',
    lambda: {
      id,
      functionArn: functionArnOf(declared.AuthorizerUri),
      simpleResponses: declared.EnableSimpleResponses,
      identitySources: declared.IdentitySource.map(identitySource),
      ttlSeconds: declared.AuthorizerResultTtlInSeconds,
      timeoutMillis: TIMEOUT_MILLIS,
    },
  };
}

/** What a route says of its authoriser. */
export interface DeclaredAuthorization {
  readonly RouteKey: string;
  readonly AuthorizationType: 'NONE' | 'JWT' | 'CUSTOM';
  readonly AuthorizerId?: string | undefined;
  readonly AuthorizationScopes: readonly string[];
}

const TYPES = { JWT: 'jwt', CUSTOM: 'lambda' } as const;

export function routeAuthorizer(
  { RouteKey, AuthorizationType, AuthorizerId, AuthorizationScopes: scopes }: DeclaredAuthorization,
  authorizers: ReadonlyMap<string, ApiAuthorizer>,
): RouteAuthorizer | undefined {
  if (AuthorizationType === 'NONE') return undefined;
  const authorizer = authorizers.get(AuthorizerId ?? '');
  if (authorizer?.type !== TYPES[AuthorizationType]) {
    throw new Error(`The route ${RouteKey} has no authoriser ${AuthorizerId} of the type ${AuthorizationType}.`);
  }
  return authorizer.type === 'jwt' ? { ...authorizer, scopes } : authorizer;
}

/** The function's ARN itself, or API Gateway's long way to call it. */
export function functionArnOf(uri: string): string {
  return /functions\/(arn:[^/]+)\/invocations/.exec(uri)?.[1] ?? uri;
}
