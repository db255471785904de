/** What a release promises to the next one: its stateful resources and exports, as recorded in `prod.json`. */
import { isDeepStrictEqual } from 'node:util';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { fiveServices } from '../../../cdk/five-services.ts';
import { TEMPLATES_ONLY } from '../../support/cloud/templates-only.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
type Properties = Readonly<Record<string, any>>;

/** The part of a template that is recorded. */
export interface Deployed {
  readonly Resources: Readonly<
    Record<string, { Type: string; Properties?: Properties; DeletionPolicy?: string; UpdateReplacePolicy?: string }>
  >;
  readonly Outputs?: Readonly<Record<string, { Value: unknown; Export?: { Name: unknown } }>>;
}

interface Stateful {
  readonly type: string;
  readonly whenDeleted: string;
  readonly whenReplaced: string;
  /** Properties whose change replaces the resource, or is refused. */
  readonly fixed: Properties;
  /** Parts that may be added and not changed or removed, by name: indexes of a table, attributes of a user pool. */
  readonly parts?: Properties;
}

interface Recorded {
  readonly resources: Readonly<Record<string, Stateful>>;
  readonly exports: Readonly<Record<string, unknown>>;
}
/** By the name of the stack. */
export type Baseline = Readonly<Record<string, Recorded>>;

const TABLE = 'AWS::DynamoDB::GlobalTable';

/**
 * The types that hold data, messages, addresses or identities, with the properties of each that CloudFormation replaces it
 * for ("Update requires: Replacement" in its reference), or changes with a loss: a secret gets another value when
 * `GenerateSecretString` changes, a stream another ARN with another view.
 */
const STATEFUL: Readonly<Record<string, readonly string[]>> = {
  [TABLE]: ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'StreamSpecification', 'TimeToLiveSpecification'],
  'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolClient': ['UserPoolId', 'GenerateSecret'],
  'AWS::Cognito::UserPoolGroup': ['UserPoolId', 'GroupName'],
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString', 'SecretString'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
};

/** The stacks of prod, with all domains. */
export function templatesOfProd(outdir: string): Record<string, Deployed> {
  const app = new App({ context: { ...TEMPLATES_ONLY, stage: 'prod', alarmsTo: 'nobody' }, outdir });
  const { data, edge, domains, gateway } = fiveServices(app);
  return Object.fromEntries(
    [data, edge, ...domains, gateway].map((stack) => [stack.stackName, Template.fromStack(stack).toJSON() as Deployed]),
  );
}

export const baselineOf = (templates: Readonly<Record<string, Deployed>>): Baseline =>
  Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, recorded(template)]));

function recorded({ Resources, Outputs = {} }: Deployed): Recorded {
  const resources = Object.entries(Resources).flatMap(([id, resource]) => {
    const names = STATEFUL[resource.Type];
    if (names === undefined) return [];
    const { Type: type, Properties: properties = {} } = resource;
    const parts = partsOf(type, properties);
    const stateful: Stateful = {
      type,
      whenDeleted: resource.DeletionPolicy ?? 'Delete',
      whenReplaced: resource.UpdateReplacePolicy ?? 'Delete',
      fixed: Object.fromEntries(names.flatMap((name) => (name in properties ? [[name, properties[name]]] : []))),
      ...(parts && { parts }),
    };
    return [[id, stateful] as const];
  });
  const exports = Object.values(Outputs).flatMap(({ Value, Export }) =>
    Export ? [[Export.Name, Value] as const] : [],
  );
  return { resources: Object.fromEntries(resources), exports: Object.fromEntries(exports) };
}

function partsOf(type: string, properties: Properties): Properties | undefined {
  if (type === 'AWS::Cognito::UserPool') return byName(properties['Schema'], 'Name');
  if (type !== TABLE) return undefined;
  const types = new Map<string, string>();
  for (const { AttributeName, AttributeType } of properties['AttributeDefinitions']) {
    types.set(AttributeName, AttributeType);
  }
  const typed = (keys: readonly Properties[]) =>
    keys.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName} ${types.get(AttributeName)}`).join(', ');
  const indexes = Object.entries(byName(properties['GlobalSecondaryIndexes'], 'IndexName'));
  return Object.fromEntries(
    indexes.map(([name, { KeySchema, Projection }]) => [name, { keys: typed(KeySchema), projection: Projection }]),
  );
}

const byName = (parts: readonly Properties[] = [], key: string): Properties =>
  Object.fromEntries(parts.map((part) => [part[key], part]));

/** Returns in sentences what an upgrade from one to the other would lose, or AWS would refuse in the middle of it. */
export function losses(before: Baseline, after: Baseline): string[] {
  return Object.entries(before).flatMap(([stack, { resources, exports }]) => {
    const next = after[stack] ?? { resources: {}, exports: {} };
    return [
      ...Object.entries(resources).flatMap(([id, old]) =>
        resourceLosses(old, next.resources[id]).map((loss) => `${stack}/${id} (${old.type}) ${loss}`),
      ),
      ...Object.entries(exports).flatMap(([name, value]) => {
        if (!(name in next.exports)) return [`${stack} drops the export ${name}`];
        return isDeepStrictEqual(value, next.exports[name]) ? [] : [`${stack} changes the value of the export ${name}`];
      }),
    ];
  });
}

function resourceLosses(old: Stateful, next: Stateful | undefined): string[] {
  if (next?.type !== old.type) return ['is removed, or has another logical id'];
  const names = [...new Set([...Object.keys(old.fixed), ...Object.keys(next.fixed)])];
  return [
    ...names.flatMap((name) => (isDeepStrictEqual(old.fixed[name], next.fixed[name]) ? [] : [`changes ${name}`])),
    ...(next.whenDeleted === old.whenDeleted ? [] : [`is no longer kept as ${old.whenDeleted}`]),
    ...(next.whenReplaced === old.whenReplaced ? [] : [`is no longer kept as ${old.whenReplaced} when it is replaced`]),
    ...partLosses(old, next),
  ];
}

function partLosses({ type, parts: old = {} }: Stateful, { parts: next = {} }: Stateful): string[] {
  const removed = Object.keys(old).filter((name) => !(name in next));
  const added = Object.keys(next).filter((name) => !(name in old));
  const changed = Object.keys(old).filter((name) => name in next && !isDeepStrictEqual(old[name], next[name]));
  const word = type === TABLE ? 'index' : 'attribute';
  // AWS makes or deletes one index in an update; deleting one loses nothing but what reads it.
  const isTooMany = type === TABLE && removed.length + added.length > 1;
  return [
    ...changed.map((name) => `changes the ${word} ${name}`),
    ...(isTooMany ? [`changes more than one index: ${[...removed, ...added].join(', ')}`] : []),
    ...(type === TABLE ? [] : removed.map((name) => `removes the ${word} ${name}`)),
  ];
}
