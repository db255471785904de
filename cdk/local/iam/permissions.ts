/** The services that may call a function or use a queue: `AWS::Lambda::Permission` and the policies of resources. */
import type { Endpoint } from '../endpoint/endpoint.ts';
import { matchesPattern } from './pattern.ts';
import { type ParsedPolicy, type PolicyDocument, parsePolicy } from './policy-document.ts';
import { identityVerdict } from './policy-evaluation.ts';

/** `AWS::Lambda::Permission`. */
export interface FunctionPermission {
  readonly functionArn: string;
  readonly action: string;
  readonly principal: string;
  readonly sourceArn?: string | undefined;
}

/** A service of AWS that acts for one of the account's resources. */
export interface ServiceCall {
  /** `events.amazonaws.com` */
  readonly service: string;
  readonly action: string;
  readonly resource: string;
  /** The resource it acts for. */
  readonly sourceArn: string;
}

export class Permissions {
  private readonly functionPermissions: FunctionPermission[] = [];
  private readonly policies = new Map<string, ParsedPolicy>();
  private readonly endpoint: Endpoint;
  private readonly accountId: string;

  constructor(endpoint: Endpoint, accountId: string) {
    this.endpoint = endpoint;
    this.accountId = accountId;
  }

  setResourcePolicy(resourceArn: string, policy: PolicyDocument): void {
    this.policies.set(resourceArn, parsePolicy(policy));
    this.endpoint.setResourcePolicy(resourceArn, policy);
  }

  addFunctionPermission(permission: FunctionPermission): void {
    this.functionPermissions.push(permission);
  }

  /** Returns whether a permission of the function lets this service call it for this resource. */
  mayInvoke(service: string, functionArn: string, sourceArn: string): boolean {
    return this.functionPermissions.some(
      (permission) =>
        permission.functionArn === functionArn &&
        permission.principal === service &&
        matchesPattern(permission.action, 'lambda:InvokeFunction') &&
        (permission.sourceArn === undefined || matchesPattern(permission.sourceArn, sourceArn)),
    );
  }

  /** Returns whether the policy of the resource lets this service do it. */
  serviceMay({ service, action, resource, sourceArn }: ServiceCall): boolean {
    const policy = this.policies.get(resource);
    if (!policy) return false;
    const concerning = policy.Statement.filter(
      ({ Principal }) =>
        Principal === '*' || Principal?.['Service']?.includes(service) || Principal?.['AWS']?.includes('*'),
    );
    const context = new Map<string, readonly string[]>([
      ['aws:sourcearn', [sourceArn]],
      ['aws:sourceaccount', [this.accountId]],
      ['aws:securetransport', ['true']],
      ['aws:principalisawsservice', ['true']],
    ]);
    return identityVerdict([{ Statement: concerning }], { action, resource, context }) === 'allow';
  }
}
