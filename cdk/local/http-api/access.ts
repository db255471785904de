/** Decides whether a request may take its route, by the Lambda authoriser of the route. */

import type { Permissions } from '../iam/permissions.ts';
import type { Functions } from '../lambda/functions.ts';
import { type Answer, gatewayAnswer } from './answer.ts';
import {
  LambdaAuthorization,
  type LambdaAuthorizer,
  type LambdaDecision,
  type RoutedRequest,
} from './lambda-authorizer.ts';
import type { CallerFacts } from './request-event.ts';

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
}

export class AccessControl {
  private readonly parts: AccessParts;
  private readonly authorizations = new Map<string, LambdaAuthorization>();

  constructor(parts: AccessParts) {
    this.parts = parts;
  }

  async of(routed: RoutedRequest, authorizer: LambdaAuthorizer | undefined): Promise<Access> {
    if (!authorizer) return { kind: 'granted', facts: {} };
    return accessOf(await this.authorizationOf(authorizer).decide(routed));
  }

  private authorizationOf(authorizer: LambdaAuthorizer): LambdaAuthorization {
    const cached = this.authorizations.get(authorizer.id);
    if (cached) return cached;
    const { functions } = this.parts;
    const made = new LambdaAuthorization(authorizer, {
      mayInvoke: () => this.mayInvoke(authorizer),
      invoke: (payload) => functions.invoke(authorizer.functionArn, payload),
    });
    this.authorizations.set(authorizer.id, made);
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
    const { context } = decision;
    const facts = Object.entries(context ?? {}).map(([name, value]) => [`authorizer.${name}`, asText(value)]);
    return { kind: 'granted', caller: { lambda: context }, facts: Object.fromEntries(facts) };
  }
  const facts: Record<string, string> = 'reason' in decision ? { 'authorizer.error': decision.reason } : {};
  return { kind: 'refused', answer: ANSWERS[decision.kind](), facts };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const ANSWERS = {
  unauthorized: () => gatewayAnswer(401, 'Unauthorized'),
  forbidden: () => gatewayAnswer(403, 'Forbidden'),
  failed: () => gatewayAnswer(500, 'Internal Server Error'),
};
