/** Whether a request may take its route, as the authoriser of the route says. */
import type { Functions } from '../functions/functions.ts';
import type { Permissions } from '../resources/permissions.ts';
import { type Answer, gatewayAnswer } from './answer.ts';
import { authorize, type JwtAuthorizer, type TokenIssuers } from './jwt-authorizer.ts';
import { type Asking, LambdaAuthorization, type LambdaAuthorizer, type LambdaDecision } from './lambda-authorizer.ts';
import type { CallerFacts } from './request-event.ts';

export type RouteAuthorizer =
  | { readonly type: 'jwt'; readonly jwt: JwtAuthorizer; readonly scopes: readonly string[] }
  | { readonly type: 'lambda'; readonly lambda: LambdaAuthorizer };

/** `facts` are for the access log. */
export type Access = { readonly facts: Readonly<Record<string, string>> } & (
  | { readonly kind: 'granted'; readonly caller?: CallerFacts }
  | { readonly kind: 'refused'; readonly answer: Answer }
);

export interface AccessParts {
  readonly region: string;
  readonly accountId: string;
  readonly apiId: string;
  readonly functions: Functions;
  readonly permissions: Permissions;
  readonly issuers: TokenIssuers;
}

export class AccessControl {
  private readonly parts: AccessParts;
  private readonly lambdas = new Map<string, LambdaAuthorization>();

  constructor(parts: AccessParts) {
    this.parts = parts;
  }

  async of(asking: Asking, authorizer: RouteAuthorizer | undefined): Promise<Access> {
    if (!authorizer) return { kind: 'granted', facts: {} };
    if (authorizer.type === 'jwt') return this.byToken(asking, authorizer);
    return this.byFunction(asking, authorizer.lambda);
  }

  private async byToken(
    { request }: Asking,
    { jwt: authorizer, scopes: wanted }: Extract<RouteAuthorizer, { type: 'jwt' }>,
  ): Promise<Access> {
    const { issuers } = this.parts;
    const authorization = await authorize(request, { authorizer, scopes: wanted, issuers });
    if (authorization.kind === 'allowed') {
      const { claims, scopes } = authorization;
      return { kind: 'granted', caller: { jwt: { claims, scopes } }, facts: {} };
    }
    const { kind, reason, challenge } = authorization;
    const headers = { 'www-authenticate': challenge };
    return { kind: 'refused', answer: ANSWERS[kind](headers), facts: { 'authorizer.error': reason } };
  }

  private async byFunction(asking: Asking, authorizer: LambdaAuthorizer): Promise<Access> {
    return accessOf(await this.lambdaOf(authorizer).decide(asking));
  }

  private lambdaOf(authorizer: LambdaAuthorizer): LambdaAuthorization {
    const known = this.lambdas.get(authorizer.id);
    if (known) return known;
    const { functions } = this.parts;
    const made = new LambdaAuthorization(authorizer, {
      mayInvoke: () => this.mayInvoke(authorizer),
      invoke: (payload) => functions.invoke(authorizer.functionArn, payload),
    });
    this.lambdas.set(authorizer.id, made);
    return made;
  }

  private mayInvoke({ id, functionArn }: LambdaAuthorizer): boolean {
    const { region, accountId, apiId, functions, permissions } = this.parts;
    const definition = functions.byArn(functionArn);
    const sourceArn = `arn:aws:execute-api:${region}:${accountId}:${apiId}/authorizers/${id}`;
    return definition !== undefined && permissions.mayInvoke('apigateway.amazonaws.com', definition.arn, sourceArn);
  }
}

function accessOf(decision: LambdaDecision): Access {
  if (decision.kind === 'allowed') {
    const { context, principalId } = decision;
    const facts = Object.entries({ ...context, ...(principalId !== undefined && { principalId }) });
    return {
      kind: 'granted',
      caller: { lambda: context },
      facts: Object.fromEntries(facts.map(([name, value]) => [`authorizer.${name}`, asText(value)])),
    };
  }
  const facts: Record<string, string> = 'reason' in decision ? { 'authorizer.error': decision.reason } : {};
  return { kind: 'refused', answer: ANSWERS[decision.kind](), facts };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

type Headers = Readonly<Record<string, string>>;

const ANSWERS = {
  unauthorized: (headers?: Headers) => gatewayAnswer(401, 'Unauthorized', headers),
  forbidden: (headers?: Headers) => gatewayAnswer(403, 'Forbidden', headers),
  failed: (headers?: Headers) => gatewayAnswer(500, 'Internal Server Error', headers),
};
