/** The Lambda authoriser of an HTTP API: a function decides, and its answer may be cached for a while. */
import { reasonOf } from '../lambda/async-invocations.ts';
import type { Invocation } from '../lambda/functions.ts';
import { type AuthorizerContext, type AuthorizerResponse, authorizerResponse } from './authorizer-response.ts';
import { authorizerEvent, type EventContext, headersOf, type ReceivedRequest, splitTarget } from './request-event.ts';
import { decoded } from './routes.ts';
import { withinTime } from './within-time.ts';

export interface LambdaAuthorizer {
  readonly id: string;
  readonly functionArn: string;
  /** Names of headers in lower case. A request needs a value in each of them. */
  readonly identityHeaders: readonly string[];
  /** 0 caches no answer. */
  readonly ttlSeconds: number;
  /** The function is given this long, whatever its own timeout. */
  readonly timeoutMillis: number;
}

/** The function behind an authoriser. */
export interface AuthorizerFunction {
  /** Returns whether API Gateway has the permission. */
  mayInvoke(): boolean;
  invoke(payload: string): Promise<Invocation>;
}

/** A request and the route that it takes. */
export interface RoutedRequest {
  readonly request: ReceivedRequest;
  readonly event: EventContext;
}

export type LambdaDecision =
  | { readonly kind: 'allowed'; readonly context: AuthorizerContext | null }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'unauthorized' | 'failed'; readonly reason: string };

interface CachedResponse {
  readonly response: AuthorizerResponse;
  readonly untilMillis: number;
}

export class LambdaAuthorization {
  private readonly authorizer: LambdaAuthorizer;
  private readonly decider: AuthorizerFunction;
  /** The key is the values of the identity headers; the oldest come first. Answers for one route serve the others too, as on AWS. */
  private readonly cached = new Map<string, CachedResponse>();

  constructor(authorizer: LambdaAuthorizer, decider: AuthorizerFunction) {
    this.authorizer = authorizer;
    this.decider = decider;
  }

  async decide(routed: RoutedRequest): Promise<LambdaDecision> {
    const headers = headersOf(routed.request);
    const identity = this.authorizer.identityHeaders.map((name) => headers[name] ?? '');
    // An empty value counts as missing.
    if (identity.includes('')) return { kind: 'unauthorized', reason: 'an identity source is missing' };
    const response = this.cachedFor(identity, routed.request.time) ?? (await this.ask(routed, identity));
    if ('kind' in response) return response;
    return response.isAuthorized ? { kind: 'allowed', context: response.context } : { kind: 'forbidden' };
  }

  private cachedFor(identity: readonly string[], now: Date): AuthorizerResponse | undefined {
    const cached = this.cached.get(JSON.stringify(identity));
    return cached && now.getTime() < cached.untilMillis ? cached.response : undefined;
  }

  private async ask(
    routed: RoutedRequest,
    identity: readonly string[],
  ): Promise<AuthorizerResponse | Extract<LambdaDecision, { kind: 'unauthorized' | 'failed' }>> {
    const { request, event } = routed;
    const { timeoutMillis } = this.authorizer;
    if (!this.decider.mayInvoke()) {
      return { kind: 'failed', reason: 'API Gateway is not allowed to invoke the authorizer.' };
    }
    const payload = JSON.stringify(
      authorizerEvent(request, event, { routeArn: routeArnOf(routed), identitySource: identity }),
    );
    const invocation = await withinTime(this.decider.invoke(payload), timeoutMillis);
    if (invocation.kind === 'too-late') return { kind: 'failed', reason: 'The authorizer timed out.' };
    if (invocation.kind !== 'result') return { kind: 'failed', reason: reasonOf(invocation) };
    const response = authorizerResponse(invocation.payload);
    if (response === 'unauthorized') return { kind: 'unauthorized', reason: 'Unauthorized' };
    if (response === 'malformed') return { kind: 'failed', reason: 'The response of the authorizer is malformed.' };
    this.cache(identity, response, request.time);
    return response;
  }

  private cache(identity: readonly string[], response: AuthorizerResponse, now: Date): void {
    const { ttlSeconds } = this.authorizer;
    if (ttlSeconds === 0) return;
    for (const [key, { untilMillis }] of this.cached) {
      if (now.getTime() < untilMillis) break;
      this.cached.delete(key);
    }
    const key = JSON.stringify(identity);
    this.cached.delete(key);
    this.cached.set(key, { response, untilMillis: now.getTime() + ttlSeconds * 1000 });
  }
}

/** Names the request itself, not the pattern of its route. The path is decoded, as routes are found. */
function routeArnOf({ request, event: { region, accountId, apiId, stage } }: RoutedRequest): string {
  const path = decoded(splitTarget(request.target).path);
  return `arn:aws:execute-api:${region}:${accountId}:${apiId}/${stage}/${request.method}${path}`;
}
