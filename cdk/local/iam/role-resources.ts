/** Roles and their policies. */
import { z } from 'zod';
import { physicalName, shortId } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored, numeric, policyDocument } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { type PolicyDocument, parsePolicy } from './policy-document.ts';

/** AWS managed policies that the CDK attaches, as far as they matter here. */
const AWS_POLICIES: Readonly<Record<string, readonly string[]>> = {
  AWSLambdaBasicExecutionRole: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
};

const RoleProperties = z.strictObject({
  AssumeRolePolicyDocument: z.unknown(),
  RoleName: z.string().optional(),
  Path: z.string().default('/'),
  ManagedPolicyArns: z.array(z.string()).default([]),
  Description: ignored,
  MaxSessionDuration: numeric.optional(),
  Tags: ignored,
});

const PolicyProperties = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: policyDocument,
  Roles: z.array(z.string()).default([]),
});

export function iamResources({ accountId, roles }: CloudContext): ResourceFamily {
  const role = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, RoleProperties);
    const name = properties.RoleName ?? physicalName('role', resource);
    const arn = `arn:aws:iam::${accountId}:role${properties.Path}${name}`;
    const policies = properties.ManagedPolicyArns.map(policyOfAws);
    roles.add({ name, arn, trusted: trustedServices(properties.AssumeRolePolicyDocument), policies });
    return { ref: name, attributes: { Arn: arn, RoleId: `AROA${shortId(arn, 16).toUpperCase()}` } };
  };

  const policy = (resource: DeclaredResource): Provisioned => {
    const { PolicyDocument, Roles } = propertiesOf(resource, PolicyProperties);
    for (const roleName of Roles) roles.attach(roleName, PolicyDocument);
    return { ref: physicalName('policy', resource), attributes: {} };
  };

  return { types: { 'AWS::IAM::Role': role, 'AWS::IAM::Policy': policy } };
}

function policyOfAws(arn: string): PolicyDocument {
  const name = arn.split('/').at(-1) ?? '';
  const actions = AWS_POLICIES[name];
  if (!actions) throw new Error(`The local cloud does not know what the policy ${arn} of AWS allows.`);
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: [...actions], Resource: '*' }] };
}

function trustedServices(trustPolicy: unknown): string[] {
  return parsePolicy(trustPolicy).Statement.flatMap(({ Effect, Principal }) =>
    Effect === 'Allow' && typeof Principal === 'object' ? (Principal['Service'] ?? []) : [],
  );
}
