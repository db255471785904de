/** Evaluates the policies of an identity or of a resource for one call. `authorizer.ts` combines the verdicts. */
import type { Principal } from '../endpoint/aws-service.ts';
import { type ConditionContext, conditionsHold } from './conditions.ts';
import { matchesArn, matchesPattern } from './pattern.ts';
import type { ParsedPolicy, ParsedPrincipals, ParsedStatement } from './policy-document.ts';

/** One permission in question. */
export interface Call {
  readonly action: string;
  readonly resource: string;
  readonly context: ConditionContext;
}

/** `implicit-deny`: no statement allows or denies the call. */
export type Verdict = 'allow' | 'deny' | 'implicit-deny';

/** Returns the verdict of an identity's own policies. */
export function identityVerdict(policies: readonly ParsedPolicy[], call: Call): Verdict {
  return verdict(policies, call, () => true);
}

/** Returns the verdict of the policy of the resource about this caller. */
export function resourceVerdict(policy: ParsedPolicy, caller: Principal, call: Call): Verdict {
  return verdict([policy], call, (statement) => matchesPrincipal(statement, caller));
}

/** Returns whether the policy of the resource lets the IAM policies of the caller's account decide. */
export function delegates(policy: ParsedPolicy, caller: Principal, call: Call): boolean {
  const toAccount = ({ Principal: named }: ParsedStatement) =>
    typeof named === 'object' && (named['AWS'] ?? []).some((one) => isAccountOf(caller, one));
  return verdict([policy], call, toAccount) === 'allow';
}

function verdict(
  policies: readonly ParsedPolicy[],
  call: Call,
  applies: (statement: ParsedStatement) => boolean,
): Verdict {
  let verdict: Verdict = 'implicit-deny';
  for (const { Statement } of policies) {
    for (const statement of Statement) {
      if (!applies(statement) || !matchesCall(statement, call)) continue;
      if (statement.Effect === 'Deny') return 'deny';
      verdict = 'allow';
    }
  }
  return verdict;
}

function matchesCall(statement: ParsedStatement, { action, resource, context }: Call): boolean {
  const actionFits = (pattern: string) => matchesPattern(pattern.toLowerCase(), action.toLowerCase());
  const resourceFits = (pattern: string) => matchesArn(pattern, resource);
  return (
    (statement.Action?.some(actionFits) ?? !statement.NotAction?.some(actionFits)) &&
    // Trust policies and key policies have neither member: they apply to the resource that they belong to.
    (statement.Resource?.some(resourceFits) ?? !statement.NotResource?.some(resourceFits)) &&
    conditionsHold(statement.Condition ?? {}, context)
  );
}

function matchesPrincipal(statement: ParsedStatement, caller: Principal): boolean {
  if (statement.Principal !== undefined) return includesPrincipal(statement.Principal, caller, statement.Effect);
  if (statement.NotPrincipal !== undefined) return !includesPrincipal(statement.NotPrincipal, caller, 'Allow');
  return false;
}

function includesPrincipal(principals: ParsedPrincipals, caller: Principal, effect: 'Allow' | 'Deny'): boolean {
  if (principals === '*') return true;
  return (principals['AWS'] ?? []).some((named) => {
    if (named === '*' || named === caller.arn) return true;
    // Naming the account denies all of its principals, but allows only its root: a role also needs a policy of its own.
    return isAccountOf(caller, named) && (effect === 'Deny' || caller.kind === 'root');
  });
}

function isAccountOf(caller: Principal, named: string): boolean {
  const account = caller.arn.split(':')[4] ?? '';
  return named === account || named === `arn:aws:iam::${account}:root`;
}
