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

export type Verdict = 'allow' | 'deny' | 'silent';

/** Returns the verdict of an identity's own policies. */
export function identityVerdict(policies: readonly ParsedPolicy[], call: Call): Verdict {
  return verdict(policies, call, () => true);
}

/** Returns the verdict of the policy of the resource about this caller. */
export function resourceVerdict(policy: ParsedPolicy, caller: Principal, call: Call): Verdict {
  return verdict([policy], call, (statement) => names(statement, caller));
}

/** Returns whether the policy of the resource leaves the decision to the policies of the caller's account. */
export function delegates(policy: ParsedPolicy, caller: Principal, call: Call): boolean {
  const toAccount = ({ Principal: named }: ParsedStatement) =>
    typeof named === 'object' && (named['AWS'] ?? []).some((one) => isAccountOf(caller, one));
  return verdict([policy], call, toAccount) === 'allow';
}

function verdict(
  policies: readonly ParsedPolicy[],
  call: Call,
  concerns: (statement: ParsedStatement) => boolean,
): Verdict {
  let verdict: Verdict = 'silent';
  for (const { Statement } of policies) {
    for (const statement of Statement) {
      if (!concerns(statement) || !covers(statement, call)) continue;
      if (statement.Effect === 'Deny') return 'deny';
      verdict = 'allow';
    }
  }
  return verdict;
}

function covers(statement: ParsedStatement, { action, resource, context }: Call): boolean {
  const actionFits = (pattern: string) => matchesPattern(pattern.toLowerCase(), action.toLowerCase());
  const resourceFits = (pattern: string) => matchesArn(pattern, resource);
  return (
    (statement.Action?.some(actionFits) ?? !statement.NotAction?.some(actionFits)) &&
    // A statement without either stands in a role's trust policy or a key policy, where the resource is the policy's own.
    (statement.Resource?.some(resourceFits) ?? !statement.NotResource?.some(resourceFits)) &&
    conditionsHold(statement.Condition ?? {}, context)
  );
}

function names(statement: ParsedStatement, caller: Principal): boolean {
  if (statement.Principal !== undefined) return includes(statement.Principal, caller, statement.Effect);
  if (statement.NotPrincipal !== undefined) return !includes(statement.NotPrincipal, caller, 'Allow');
  return false;
}

function includes(principals: ParsedPrincipals, caller: Principal, effect: 'Allow' | 'Deny'): boolean {
  if (principals === '*') return true;
  return (principals['AWS'] ?? []).some((named) => {
    if (named === '*' || named === caller.arn) return true;
    // A principal that names the account allows no role in it by itself: the policies of the roles decide.
    return isAccountOf(caller, named) && (effect === 'Deny' || caller.kind === 'root');
  });
}

function isAccountOf(caller: Principal, named: string): boolean {
  const account = caller.arn.split(':')[4] ?? '';
  return named === account || named === `arn:aws:iam::${account}:root`;
}
