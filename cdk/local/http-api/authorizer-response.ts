/** Reads what the function of a Lambda authoriser answers: a simple response, or a refusal to name the caller. */
import { z } from 'zod';

/** The values that the authoriser hands to the integration. */
export type AuthorizerContext = Readonly<Record<string, unknown>>;

export interface AuthorizerResponse {
  readonly isAuthorized: boolean;
  readonly context: AuthorizerContext | null;
}

const Simple = z.object({ isAuthorized: z.boolean(), context: z.record(z.string(), z.unknown()).nullish() });
const Unauthorized = z.object({ errorMessage: z.literal('Unauthorized') });

/** Returns `malformed` when the answer is no simple response. */
export function authorizerResponse(payload: string): AuthorizerResponse | 'unauthorized' | 'malformed' {
  const answer: unknown = JSON.parse(payload);
  if (Unauthorized.safeParse(answer).success) return 'unauthorized';
  const { data } = Simple.safeParse(answer);
  return data ? { isAuthorized: data.isAuthorized, context: data.context ?? null } : 'malformed';
}
