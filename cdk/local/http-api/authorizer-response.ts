/** What the function of a Lambda authoriser may answer in format 2.0, and what that says of a request. */
import { z } from 'zod';
import type { ConditionContext } from '../iam/conditions.ts';
import { identityVerdict } from '../iam/decision.ts';
import { parsePolicy } from '../iam/policy-document.ts';

/** What the authoriser tells the integration. */
export type AuthorizerContext = Readonly<Record<string, unknown>>;

/** An answer that can be kept: whether it allows a request may depend on the route. */
export interface AuthorizerResponse {
  readonly allows: (routeArn: string, conditions: ConditionContext) => boolean;
  readonly principalId?: string;
  readonly context: AuthorizerContext | null;
}

const context = z.record(z.string(), z.unknown()).nullish();
const Simple = z.object({ isAuthorized: z.boolean(), context });
const WithPolicy = z.object({ principalId: z.string().min(1), policyDocument: z.unknown(), context });
const Unauthorized = z.object({ errorMessage: z.literal('Unauthorized') });

/** `malformed` when the answer has not the form that the authoriser is set to. */
export function authorizerResponse(
  payload: string,
  simpleResponses: boolean,
): AuthorizerResponse | 'unauthorized' | 'malformed' {
  const answer: unknown = JSON.parse(payload);
  if (Unauthorized.safeParse(answer).success) return 'unauthorized';
  return (simpleResponses ? simpleResponse(answer) : policyResponse(answer)) ?? 'malformed';
}

function simpleResponse(answer: unknown): AuthorizerResponse | undefined {
  const { data } = Simple.safeParse(answer);
  return data && { allows: () => data.isAuthorized, context: data.context ?? null };
}

function policyResponse(answer: unknown): AuthorizerResponse | undefined {
  const { data } = WithPolicy.safeParse(answer);
  const policy = data && policyOf(data.policyDocument);
  return (
    policy && {
      allows: (routeArn, conditions) =>
        identityVerdict([policy], { action: 'execute-api:Invoke', resource: routeArn, context: conditions }) ===
        'allow',
      principalId: data.principalId,
      context: data.context ?? null,
    }
  );
}

function policyOf(document: unknown) {
  try {
    return parsePolicy(document);
  } catch {
    return undefined;
  }
}
