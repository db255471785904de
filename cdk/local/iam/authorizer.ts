/** Decides whether a caller may do what a call needs: its own policies, the resource's policy, and Deny before Allow. */
import type { NeededPermission, Principal } from '../endpoint/aws-service.ts';
import type { ConditionContext } from './conditions.ts';
import { type ParsedPolicy, type PolicyDocument, parsePolicy } from './policy-document.ts';
import { type Call, delegates, identityVerdict, resourceVerdict } from './policy-evaluation.ts';

export interface AuthorizerOptions {
  readonly region: string;
  readonly accountId: string;
  readonly now: () => Date;
}

export class Authorizer {
  private readonly options: AuthorizerOptions;
  /** The key is the object that a request carries, because two identities may share one role. */
  private readonly policiesOf = new WeakMap<Principal, readonly ParsedPolicy[]>();
  private readonly resourcePolicies = new Map<string, ParsedPolicy>();

  constructor(options: AuthorizerOptions) {
    this.options = options;
  }

  setIdentityPolicies(principal: Principal, policies: readonly PolicyDocument[]): void {
    this.policiesOf.set(principal, policies.map(parsePolicy));
  }

  setResourcePolicy(resourceArn: string, policy: PolicyDocument): void {
    this.resourcePolicies.set(resourceArn, parsePolicy(policy));
  }

  removeResourcePolicy(resourceArn: string): void {
    this.resourcePolicies.delete(resourceArn);
  }

  allows(principal: Principal, permission: NeededPermission): boolean {
    return this.refusal(principal, [permission]) === null;
  }

  /** Returns why the caller is refused, in AWS's words; null if every permission is given. */
  refusal(principal: Principal, permissions: readonly NeededPermission[]): string | null {
    for (const permission of permissions) {
      const reason = this.reasonAgainst(principal, permission);
      if (reason !== null) {
        const { action, resource } = permission;
        return `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
      }
    }
    return null;
  }

  private reasonAgainst(principal: Principal, { action, resource, context = {} }: NeededPermission): string | null {
    const call: Call = { action, resource, context: this.contextOf(principal, context) };
    const policy = this.resourcePolicies.get(policyOwner(resource));
    const ofResource = policy ? resourceVerdict(policy, principal, call) : 'implicit-deny';
    if (ofResource === 'deny') return 'with an explicit deny in a resource-based policy';
    if (principal.kind === 'root') return null;
    const own = identityVerdict(this.policiesOf.get(principal) ?? [], call);
    if (own === 'deny') return 'with an explicit deny in an identity-based policy';
    if (ofResource === 'allow') return null;
    if (KEY.test(resource) && !(policy && delegates(policy, principal, call))) {
      return `because no resource-based policy allows the ${action} action`;
    }
    if (own === 'allow') return null;
    return `because no identity-based policy allows the ${action} action`;
  }

  private contextOf(principal: Principal, own: NonNullable<NeededPermission['context']>): ConditionContext {
    const { accountId, region, now } = this.options;
    const instant = now();
    const context = new Map<string, readonly string[]>([
      ['aws:currenttime', [instant.toISOString()]],
      ['aws:epochtime', [String(Math.floor(instant.getTime() / 1000))]],
      ['aws:principalaccount', [accountId]],
      ['aws:principalarn', [principal.arn]],
      ['aws:principalisawsservice', ['false']],
      ['aws:principaltype', [principal.kind === 'root' ? 'Account' : 'AssumedRole']],
      ['aws:requestedregion', [region]],
      ['aws:resourceaccount', [accountId]],
      // Calls on this machine go over loopback without TLS; policies that enforce TLS must not refuse them.
      ['aws:securetransport', ['true']],
      ['aws:sourceip', ['127.0.0.1']],
      ['aws:viaawsservice', ['false']],
    ]);
    for (const [key, value] of Object.entries(own)) context.set(key.toLowerCase(), [value].flat());
    return context;
  }
}

/** Policies of roles apply to a KMS key only if the policy of the key delegates to the account. */
const KEY = /^arn:aws:kms:[^:]*:[^:]*:key\//;

/** Objects are under their bucket's policy. */
function policyOwner(resource: string): string {
  return resource.startsWith('arn:aws:s3:::') ? (resource.split('/', 1)[0] ?? resource) : resource;
}
