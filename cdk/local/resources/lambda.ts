/** Lambda functions, the permissions to call them, and how events reach them. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { physicalName, stableUuid } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import type { Delivery, DeliveryOutcome } from '../events/targets.ts';
import type { AsyncInvocations } from '../functions/async-invocations.ts';
import type { FunctionDefinition } from '../functions/function-definition.ts';
import { type DeclaredResource, type Provisioned, propertiesOf, type ResourceFamily } from './family.ts';
import { ignored, numeric } from './property.ts';

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
  DeadLetterConfig: z.strictObject({ TargetArn: z.string() }).optional(),
  PackageType: z.literal('Zip').optional(),
  EphemeralStorage: ignored,
  Architectures: ignored,
  Description: ignored,
  LoggingConfig: ignored,
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

const Destination = z.strictObject({ Destination: z.string() });
const InvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: ignored,
  MaximumRetryAttempts: numeric.optional(),
  MaximumEventAgeInSeconds: numeric.optional(),
  DestinationConfig: z
    .strictObject({ OnSuccess: Destination.optional(), OnFailure: Destination.optional() })
    .optional(),
});

/** Functions of CDK's own custom resources. What they would do, the local cloud does itself. */
const OF_CDK = /^(BucketNotificationsHandler|LogRetention|CustomS3AutoDelete|AWS679f53fac002430cb0da5b7982bd2287)/;

export function lambdaResources(cloud: CloudContext, asynchronous: AsyncInvocations): ResourceFamily {
  const { region, accountId, functions, permissions, roles, targets } = cloud;
  const arnOf = (name: string) =>
    name.startsWith('arn:') ? name : `arn:aws:lambda:${region}:${accountId}:function:${name}`;
  const destinations: { functionArn: string; targetArn: string }[] = [];

  const lambdaFunction = (resource: DeclaredResource): Provisioned => {
    const name = z.string().optional().parse(resource.properties['FunctionName']) ?? physicalName('function', resource);
    const arn = arnOf(name);
    const made = { ref: name, attributes: { Arn: arn } };
    if (OF_CDK.test(resource.logicalId)) return made;
    const properties = propertiesOf(resource, FunctionProperties);
    roles.requireTrust(properties.Role, 'lambda.amazonaws.com');
    functions.add(definitionOf(resource, { name, arn, properties }));
    const { DeadLetterConfig } = properties;
    if (DeadLetterConfig) asynchronous.configure(arn, { deadLetterArn: DeadLetterConfig.TargetArn });
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
    const functionArn = arnOf(properties.FunctionName);
    const settings = asyncSettingsOf(properties);
    for (const targetArn of [settings.onSuccessArn, settings.onFailureArn]) {
      if (targetArn) destinations.push({ functionArn, targetArn });
    }
    asynchronous.configure(functionArn, settings);
    return { ref: stableUuid(resource.path), attributes: {} };
  };

  targets.register('lambda', (delivery) => Promise.resolve(deliver(cloud, asynchronous, delivery)));

  return {
    types: {
      'AWS::Lambda::Function': lambdaFunction,
      'AWS::Lambda::Permission': permission,
      'AWS::Lambda::EventInvokeConfig': invokeConfig,
      ...publications(arnOf),
    },
    start() {
      for (const { functionArn, targetArn } of destinations) requireDestination(cloud, functionArn, targetArn);
      asynchronous.start();
    },
    stop: () => Promise.resolve(asynchronous.close()),
  };
}

/** There is one version of a function, the one that is deployed, and every alias means it. */
function publications(arnOf: (name: string) => string): ResourceFamily['types'] {
  return {
    'AWS::Lambda::Version'({ properties }) {
      const { FunctionName } = z.object({ FunctionName: z.string() }).parse(properties);
      const arn = `${arnOf(FunctionName)}:1`;
      return { ref: arn, attributes: { Version: '1', FunctionArn: arn } };
    },
    'AWS::Lambda::Alias'({ properties }) {
      const { FunctionName, Name } = z.object({ FunctionName: z.string(), Name: z.string() }).parse(properties);
      const arn = `${arnOf(FunctionName)}:${Name}`;
      return { ref: arn, attributes: { AliasArn: arn } };
    },
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
  };
}

function asyncSettingsOf(declared: z.output<typeof InvokeConfigProperties>) {
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds, DestinationConfig } = declared;
  return {
    ...(MaximumRetryAttempts !== undefined && { maxRetries: MaximumRetryAttempts }),
    ...(MaximumEventAgeInSeconds !== undefined && { maxAgeSeconds: MaximumEventAgeInSeconds }),
    onSuccessArn: DestinationConfig?.OnSuccess?.Destination,
    onFailureArn: DestinationConfig?.OnFailure?.Destination,
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

const DESTINATION_ACTIONS: Readonly<Record<string, string>> = {
  sqs: 'sqs:SendMessage',
  lambda: 'lambda:InvokeFunction',
  events: 'events:PutEvents',
};

/** A destination is reached with the function's own role; without the permission AWS refuses it at once. */
function requireDestination({ functions, roles, targets }: CloudContext, functionArn: string, targetArn: string) {
  targets.require(targetArn);
  const definition = functions.byArn(functionArn);
  const action = DESTINATION_ACTIONS[targetArn.split(':')[2] ?? ''] ?? '';
  if (definition && !roles.allows(definition.roleArn, action, targetArn)) {
    throw new Error(`The role of ${definition.path} is not allowed ${action} on its destination ${targetArn}.`);
  }
}

function deliver(cloud: CloudContext, asynchronous: AsyncInvocations, delivery: Delivery): DeliveryOutcome {
  const { targetArn, payload, from, roleArn } = delivery;
  const definition = cloud.functions.byArn(targetArn);
  if (!definition) return { kind: 'refused', reason: `There is no function ${targetArn}.` };
  const allowed =
    roleArn === undefined
      ? cloud.permissions.mayInvoke(from.service, definition.arn, from.sourceArn)
      : cloud.roles.allows(roleArn, 'lambda:InvokeFunction', targetArn);
  if (!allowed) {
    return {
      kind: 'refused',
      reason: `${roleArn ?? from.service} may not invoke ${definition.path} for ${from.sourceArn}.`,
    };
  }
  if (asynchronous.accept(definition.arn, payload) === 'accepted') return { kind: 'delivered' };
  return { kind: 'refused', reason: `The event for ${definition.path} is larger than Lambda takes.` };
}
