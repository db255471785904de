/** Lambda functions, the permissions to call them, and how events reach them. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { physicalName, stableUuid } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored, numeric } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { Delivery, DeliveryOutcome } from '../events/targets.ts';
import type { AsyncInvocations } from './async-invocations.ts';
import type { FunctionDefinition } from './function-definition.ts';

const FunctionProperties = z.strictObject({
  FunctionName: z.string().optional(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x', { error: 'the local cloud runs nodejs24.x' }),
  Role: z.string(),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
  MemorySize: numeric.default(128),
  Timeout: numeric.default(3),
  ReservedConcurrentExecutions: numeric.optional(),
  PackageType: z.literal('Zip').optional(),
  EphemeralStorage: ignored,
  Architectures: ignored,
  Description: ignored,
  LoggingConfig: z
    .strictObject({
      LogGroup: z.string().optional(),
      LogFormat: ignored,
      ApplicationLogLevel: ignored,
      SystemLogLevel: ignored,
    })
    .optional(),
  TracingConfig: ignored,
  RecursiveLoop: ignored,
  RuntimeManagementConfig: ignored,
  SnapStart: ignored,
  KmsKeyArn: ignored,
  Tags: ignored,
});

const PermissionProperties = z.strictObject({
  FunctionName: z.string(),
  Action: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: ignored,
});

const InvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: ignored,
  MaximumRetryAttempts: numeric.optional(),
  MaximumEventAgeInSeconds: numeric.optional(),
});

/** The function of CDK's own that empties buckets when their stack is destroyed. A local run has no use for it. */
const OF_CDK = /^CustomS3AutoDelete/;

export function lambdaResources(cloud: CloudContext, asynchronous: AsyncInvocations): ResourceFamily {
  const { region, accountId, functions, permissions, roles, targets } = cloud;
  const arnOf = (name: string) =>
    name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${accountId}:function:${name}`;

  const lambdaFunction = (resource: DeclaredResource): Provisioned => {
    const name = z.string().optional().parse(resource.properties['FunctionName']) ?? physicalName('function', resource);
    const arn = arnOf(name);
    const made = { ref: name, attributes: { Arn: arn } };
    if (OF_CDK.test(resource.logicalId)) return made;
    const properties = propertiesOf(resource, FunctionProperties);
    roles.requireTrust(properties.Role, 'lambda.amazonaws.com');
    functions.add(definitionOf(resource, { name, arn, properties }));
    return made;
  };

  const permission = (resource: DeclaredResource): Provisioned => {
    const { FunctionName, Action, Principal, SourceArn } = propertiesOf(resource, PermissionProperties);
    permissions.addFunctionPermission({
      functionArn: arnOf(FunctionName),
      action: Action,
      principal: Principal,
      sourceArn: SourceArn,
    });
    return { ref: physicalName('other', resource), attributes: {} };
  };

  const invokeConfig = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, InvokeConfigProperties);
    const { FunctionName, MaximumRetryAttempts: maxRetries, MaximumEventAgeInSeconds: maxAgeSeconds } = properties;
    asynchronous.configure(arnOf(FunctionName), {
      ...(maxRetries !== undefined && { maxRetries }),
      ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    });
    return { ref: stableUuid(resource.path), attributes: {} };
  };

  targets.register('lambda', (delivery) => Promise.resolve(deliver(cloud, asynchronous, delivery)));

  return {
    types: {
      'AWS::Lambda::Function': lambdaFunction,
      'AWS::Lambda::Permission': permission,
      'AWS::Lambda::EventInvokeConfig': invokeConfig,
    },
    start: () => asynchronous.start(),
    stop: () => Promise.resolve(asynchronous.close()),
  };
}

interface NamedFunction {
  readonly name: string;
  readonly arn: string;
  readonly properties: z.output<typeof FunctionProperties>;
}

function definitionOf(resource: DeclaredResource, { name, arn, properties }: NamedFunction): FunctionDefinition {
  return {
    name,
    arn,
    path: resource.path,
    handler: properties.Handler,
    module: moduleOf(resource, properties),
    environment: properties.Environment?.Variables ?? {},
    timeoutSeconds: properties.Timeout,
    memoryMiB: properties.MemorySize,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
    roleArn: properties.Role,
    logGroup: properties.LoggingConfig?.LogGroup,
  };
}

function moduleOf({ assetFolder }: DeclaredResource, { Code, Handler }: z.output<typeof FunctionProperties>): string {
  // A run that has its code in a folder of this machine says so with a parameter.
  const folder = isAbsolute(Code.S3Key) ? Code.S3Key : assetFolder(Code.S3Key);
  const base = join(folder, Handler.slice(0, Handler.lastIndexOf('.')));
  const file = [`${base}.mjs`, `${base}.js`, `${base}.cjs`].find(existsSync);
  if (!file) throw new Error(`The handler ${Handler} names no file of its asset ${folder}.`);
  return pathToFileURL(file).href;
}

function deliver(cloud: CloudContext, asynchronous: AsyncInvocations, delivery: Delivery): DeliveryOutcome {
  const { targetArn, payload, from } = delivery;
  const definition = cloud.functions.byArn(targetArn);
  if (!definition) return { kind: 'refused', reason: `There is no function ${targetArn}.` };
  if (!cloud.permissions.mayInvoke(from.service, definition.arn, from.sourceArn)) {
    return { kind: 'refused', reason: `${from.service} may not invoke ${definition.path} for ${from.sourceArn}.` };
  }
  if (asynchronous.accept(definition.arn, payload) === 'accepted') return { kind: 'delivered' };
  return { kind: 'refused', reason: `The event for ${definition.path} is larger than Lambda takes.` };
}
