/** The JWT authoriser of an HTTP API. */
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type KeyObject } from 'jose';
import { headersOf, type ReceivedRequest, splitTarget } from './request-event.ts';

export interface JwtAuthorizer {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** `$request.header.Authorization` */
  readonly identitySource: string;
}

export type Authorization =
  | {
      readonly kind: 'allowed';
      readonly claims: Readonly<Record<string, string>>;
      readonly scopes: readonly string[] | null;
    }
  | { readonly kind: 'unauthorized' | 'forbidden'; readonly challenge: string; readonly reason: string };

/** Public keys by issuer; the keys of an issuer by key id. No key is ever fetched over a network. */
export class TokenIssuers {
  private readonly issuers = new Map<string, (keyId: string) => KeyObject | undefined>();

  add(issuer: string, keyOf: (keyId: string) => KeyObject | undefined): void {
    this.issuers.set(issuer, keyOf);
  }

  /** Refuses an issuer whose keys this machine does not have. */
  require(issuer: string): void {
    if (!this.issuers.has(issuer)) {
      throw new Error(`The issuer ${issuer} is no user pool of this cloud, and its keys are not here.`);
    }
  }

  keyOf(issuer: string, keyId: string): KeyObject | undefined {
    return this.issuers.get(issuer)?.(keyId);
  }
}

export interface TokenCheck {
  readonly authorizer: JwtAuthorizer;
  /** The route's scopes; one of them is enough. */
  readonly scopes: readonly string[];
  readonly issuers: TokenIssuers;
}

export async function authorize(request: ReceivedRequest, check: TokenCheck): Promise<Authorization> {
  const token = tokenOf(request, check.authorizer.identitySource);
  if (!token) return { kind: 'unauthorized', challenge: 'Bearer', reason: 'no token' };
  let claims: JWTPayload;
  try {
    claims = await verified(token, check, request.time);
  } catch (error) {
    const reason = descriptionOf(error);
    const challenge = `Bearer scope="" error="invalid_token" error_description="${reason}"`;
    return { kind: 'unauthorized', challenge, reason };
  }
  const granted = scopesOf(claims);
  if (check.scopes.length > 0 && !check.scopes.some((scope) => granted.includes(scope))) {
    const challenge = `Bearer scope="${check.scopes.join(' ')}" error="insufficient_scope"`;
    return { kind: 'forbidden', challenge, reason: 'insufficient_scope' };
  }
  return { kind: 'allowed', claims: asText(claims), scopes: check.scopes.length > 0 ? granted : null };
}

function tokenOf(request: ReceivedRequest, identitySource: string): string | undefined {
  const [, place, name = ''] = /^\$request\.(header|querystring)\.(.+)$/.exec(identitySource) ?? [];
  const value =
    place === 'querystring'
      ? new URLSearchParams(splitTarget(request.target).query).get(name)
      : headersOf(request)[name.toLowerCase()];
  return value?.replace(/^Bearer\s+/i, '').trim();
}

async function verified(token: string, { authorizer, issuers }: TokenCheck, now: Date): Promise<JWTPayload> {
  const { kid = '' } = decodeProtectedHeader(token);
  const key = issuers.keyOf(authorizer.issuer, kid);
  if (!key) throw new Refused('signing method or key is not known');
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['RS256'],
    issuer: authorizer.issuer,
    currentDate: now,
    requiredClaims: ['exp'],
  });
  if ((payload.iat ?? 0) > now.getTime() / 1000) throw new Refused('the token was issued in the future');
  // An access token of Cognito has no audience; its client stands in `client_id`.
  const audience = [payload.aud ?? payload['client_id'] ?? []].flat().map(String);
  if (!audience.some((one) => authorizer.audience.includes(one)))
    throw new Refused('the token does not have a valid audience');
  return payload;
}

class Refused extends Error {}

function descriptionOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} is not valid`;
  return 'the token is not valid';
}

function scopesOf(claims: JWTPayload): string[] {
  const scope = claims['scope'] ?? claims['scp'] ?? [];
  return typeof scope === 'string' ? scope.split(' ') : [scope].flat().map(String);
}

/** Claims as the HTTP API hands them over: text, a list as `[a b]`. */
function asText(claims: JWTPayload): Record<string, string> {
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(' ')}]`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
