/** The roles of the templates, and the credentials with which functions act as one. */
import { createHmac } from 'node:crypto';
import type { Principal } from '../endpoint/aws-service.ts';
import type { Credentials, Endpoint } from '../endpoint/endpoint.ts';
import { type ParsedPolicy, type PolicyDocument, parsePolicy } from './policy-document.ts';
import { identityVerdict } from './policy-evaluation.ts';

interface Role {
  readonly name: string;
  readonly arn: string;
  /** Services that may act as this role. */
  readonly trusted: readonly string[];
  readonly policies: PolicyDocument[];
}

const DENY_ALL: PolicyDocument = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Deny', Action: '*', Resource: '*' }],
};

export class Roles {
  private readonly roles = new Map<string, Role>();
  private readonly parsed = new Map<string, ParsedPolicy[]>();
  private readonly suspended = new Set<string>();
  private readonly secret: string;

  /** @param secret makes keys that cannot be guessed and that stay the same for as long as the secret does. */
  constructor(secret: string) {
    this.secret = secret;
  }

  add(role: Role): void {
    this.roles.set(role.arn, role);
  }

  /** Attaches a policy by the role's name, as `AWS::IAM::Policy` does. */
  attach(roleName: string, policy: PolicyDocument): void {
    const role = [...this.roles.values()].find(({ name }) => name === roleName);
    if (!role) throw new Error(`No role is named ${roleName}.`);
    role.policies.push(policy);
    this.parsed.delete(role.arn);
  }

  /** Refuses a role that the service may not act as, as AWS does when a resource names it. */
  requireTrust(roleArn: string, service: string): void {
    if (!this.role(roleArn).trusted.includes(service)) {
      throw new Error(`The role ${roleArn} cannot be assumed by ${service}: its trust policy does not name it.`);
    }
  }

  /** Temporary credentials of the role, the same for as long as the state is kept: links signed with them live on. */
  credentialsOf(roleArn: string): Required<Credentials> {
    const { arn } = this.role(roleArn);
    return {
      accessKeyId: `ASIA${this.derived('key', arn)
        .replaceAll(/[^a-z0-9]/gi, '')
        .slice(0, 16)
        .toUpperCase()}`,
      secretAccessKey: this.derived('secret', arn).slice(0, 40),
      sessionToken: this.derived('token', arn),
    };
  }

  /** Returns whether the role's own policies allow this. */
  allows(roleArn: string, action: string, resource: string): boolean {
    const policies = this.parsed.get(roleArn) ?? this.policiesOf(this.role(roleArn)).map(parsePolicy);
    this.parsed.set(roleArn, policies);
    return identityVerdict(policies, { action, resource, context: new Map() }) === 'allow';
  }

  /** Makes the endpoint know every role. */
  register(endpoint: Endpoint): void {
    for (const role of this.roles.values()) this.registerOne(endpoint, role);
  }

  /** Takes every permission from a role, also those that a policy of a resource gives, until they are restored. */
  suspend(endpoint: Endpoint, roleArn: string): void {
    const role = this.role(roleArn);
    this.suspended.add(roleArn);
    this.parsed.delete(roleArn);
    this.registerOne(endpoint, role);
  }

  restore(endpoint: Endpoint, roleArn: string): void {
    this.suspended.delete(roleArn);
    this.parsed.delete(roleArn);
    this.registerOne(endpoint, this.role(roleArn));
  }

  private registerOne(endpoint: Endpoint, role: Role) {
    const principal: Principal = { kind: 'role', arn: role.arn };
    endpoint.addIdentity({ ...this.credentialsOf(role.arn), principal, policies: this.policiesOf(role) });
  }

  private policiesOf({ arn, policies }: Role): readonly PolicyDocument[] {
    return this.suspended.has(arn) ? [DENY_ALL] : policies;
  }

  private role(arn: string): Role {
    const role = this.roles.get(arn);
    if (!role) throw new Error(`There is no role ${arn}.`);
    return role;
  }

  private derived(what: string, arn: string): string {
    return createHmac('sha512', this.secret).update(`${what}:${arn}`).digest('base64');
  }
}
