/** The Lambda authoriser of an HTTP API: a function decides, and its answer may be kept for a while. */
import { reasonOf } from '../functions/async-invocations.ts';
import type { Invocation } from '../functions/functions.ts';
import type { ConditionContext } from '../iam/conditions.ts';
import { type AuthorizerContext, type AuthorizerResponse, authorizerResponse } from './authorizer-response.ts';
import type { ContextVariables } from './context-variables.ts';
import type { IdentitySource } from './identity-source.ts';
import { authorizerEvent, type EventContext, type ReceivedRequest, splitTarget } from './request-event.ts';
import { decoded } from './routes.ts';
import { withinTime } from './within-time.ts';

export interface LambdaAuthorizer {
  readonly id: string;
  readonly functionArn: string;
  readonly simpleResponses: boolean;
  readonly identitySources: readonly IdentitySource[];
  /** 0 keeps no answer. */
  readonly ttlSeconds: number;
  /** How long the function may take, whatever its own timeout. */
  readonly timeoutMillis: number;
}

/** The function behind an authoriser. */
export interface AuthorizerFunction {
  /** Whether API Gateway has the permission. */
  mayInvoke(): boolean;
  invoke(payload: string): Promise<Invocation>;
}

/** A request that asks for a route. */
export interface Asking {
  readonly request: ReceivedRequest;
  readonly event: EventContext;
  readonly variables: ContextVariables;
}

export type LambdaDecision =
  | { readonly kind: 'allowed'; readonly context: AuthorizerContext | null; readonly principalId?: string | undefined }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'unauthorized' | 'failed'; readonly reason: string };

interface Kept {
  readonly response: AuthorizerResponse;
  readonly untilMillis: number;
}

export class LambdaAuthorization {
  private readonly authorizer: LambdaAuthorizer;
  private readonly decider: AuthorizerFunction;
  /** By the values of the identity sources, the oldest first. Answers for one route serve the others too, as on AWS. */
  private readonly kept = new Map<string, Kept>();

  constructor(authorizer: LambdaAuthorizer, decider: AuthorizerFunction) {
    this.authorizer = authorizer;
    this.decider = decider;
  }

  async decide(asking: Asking): Promise<LambdaDecision> {
    const identity = this.identityOf(asking);
    if (!identity) return { kind: 'unauthorized', reason: 'an identity source is missing' };
    const routeArn = routeArnOf(asking);
    const response = this.keptFor(identity, asking.request.time) ?? (await this.ask(asking, { routeArn, identity }));
    if ('kind' in response) return response;
    if (!response.allows(routeArn, conditionsOf(asking.request))) return { kind: 'forbidden' };
    return { kind: 'allowed', context: response.context, principalId: response.principalId };
  }

  private identityOf({ request, event, variables }: Asking): readonly string[] | undefined {
    const from = { request, variables, stageVariables: event.stageVariables ?? {} };
    const values = this.authorizer.identitySources.map((source) => source(from));
    return values.every((value) => value !== undefined) ? values : undefined;
  }

  private keptFor(identity: readonly string[], now: Date): AuthorizerResponse | undefined {
    const kept = this.kept.get(JSON.stringify(identity));
    return kept && now.getTime() < kept.untilMillis ? kept.response : undefined;
  }

  private async ask(
    { request, event }: Asking,
    { routeArn, identity }: { readonly routeArn: string; readonly identity: readonly string[] },
  ): Promise<AuthorizerResponse | Extract<LambdaDecision, { kind: 'unauthorized' | 'failed' }>> {
    const { simpleResponses, timeoutMillis } = this.authorizer;
    if (!this.decider.mayInvoke()) {
      return { kind: 'failed', reason: 'API Gateway is not allowed to invoke the authorizer.' };
    }
    const payload = JSON.stringify(authorizerEvent(request, event, { routeArn, identitySource: identity }));
    const invocation = await withinTime(this.decider.invoke(payload), timeoutMillis);
    if (invocation.kind === 'too-late') return { kind: 'failed', reason: 'The authorizer timed out.' };
    if (invocation.kind !== 'result') return { kind: 'failed', reason: reasonOf(invocation) };
    const response = authorizerResponse(invocation.payload, simpleResponses);
    if (response === 'unauthorized') return { kind: 'unauthorized', reason: 'Unauthorized' };
    if (response === 'malformed') return { kind: 'failed', reason: 'The response of the authorizer is malformed.' };
    this.keep(identity, response, request.time);
    return response;
  }

  private keep(identity: readonly string[], response: AuthorizerResponse, now: Date): void {
    const { ttlSeconds } = this.authorizer;
    if (ttlSeconds === 0) return;
    for (const [key, { untilMillis }] of this.kept) {
      if (now.getTime() < untilMillis) break;
      this.kept.delete(key);
    }
    const key = JSON.stringify(identity);
    this.kept.delete(key);
    this.kept.set(key, { response, untilMillis: now.getTime() + ttlSeconds * 1000 });
  }
}

/**
 * Of the request itself, not of the pattern of its route. Decoded, as routes are found: otherwise `/%61dmin` would take
 * the route `/admin` past a policy that denies it.
 */
function routeArnOf({ request, event: { region, accountId, apiId, stage } }: Asking): string {
  const path = decoded(splitTarget(request.target).path);
  return `arn:aws:execute-api:${region}:${accountId}:${apiId}/${stage}/${request.method}${path}`;
}

function conditionsOf({ sourceIp, time }: ReceivedRequest): ConditionContext {
  return new Map([
    ['aws:currenttime', [time.toISOString()]],
    ['aws:epochtime', [String(Math.floor(time.getTime() / 1000))]],
    ['aws:securetransport', ['true']],
    ['aws:sourceip', [sourceIp]],
  ]);
}
