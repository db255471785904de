import { Stack, Validations } from 'aws-cdk-lib';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { WEBHOOK_TRIGGER } from '#shared/events/webhook-trigger';
import { grantDataKey, KEY_ACTIONS } from '../data-key.ts';

/**
 * One environment variable and the permission that makes its value usable, declared together so they cannot drift
 * apart.
 */
export interface Binding {
  readonly value: string;
  readonly grantTo?: (grantee: IGrantable) => void;
}

/** A binding for every variable the handler's own `Env` type requires: no more, no fewer. */
export type Bindings<Env> = { readonly [Name in keyof Env]-?: Binding };

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** The actions that a function may call on items, by the prefix of their partition keys. */
export type ItemGrants<Key extends string> = { readonly [Prefix in Key]?: readonly [TableAction, ...TableAction[]] };

interface TableGrants {
  /** The actions on the table itself. */
  readonly items: ItemGrants<string>;
  /** Queries on indexes: prefixes of partition keys, by the index's name. */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  /** Reading the whole table, which no key can bound. @default false */
  readonly scans?: boolean;
}

/**
 * The table's name, and just these actions on items of these partitions: a function that writes one kind of item can
 * write no other.
 */
export const allows = (table: ITable, { items, indexes, scans = false }: TableGrants): Binding => ({
  value: table.tableName,
  grantTo: (grantee) => {
    for (const { actions, prefixes } of grouped(items)) {
      grantedByKey(grantee, { arn: table.tableArn, actions, prefixes });
    }
    if (scans) granted(grantee, [table.tableArn], ['dynamodb:Scan']);
    for (const [index, prefixes] of Object.entries(indexes)) {
      grantedByKey(grantee, { arn: `${table.tableArn}/index/${index}`, actions: ['Query'], prefixes });
    }
  },
});

/**
 * One statement holds all prefixes of an action, because one call that reads several kinds of items must be allowed by
 * a single statement. Actions with the same prefixes share it.
 */
function grouped(items: ItemGrants<string>) {
  const prefixesOf = new Map<TableAction, string[]>();
  for (const [prefix, actions = []] of Object.entries(items)) {
    for (const action of actions) prefixesOf.set(action, [...(prefixesOf.get(action) ?? []), prefix]);
  }
  const groups = new Map<string, { readonly actions: TableAction[]; readonly prefixes: readonly string[] }>();
  for (const [action, prefixes] of prefixesOf) {
    const group = groups.get(prefixes.join()) ?? { actions: [], prefixes };
    group.actions.push(action);
    groups.set(prefixes.join(), group);
  }
  return groups.values();
}

interface KeyGrant {
  readonly arn: string;
  readonly actions: readonly TableAction[];
  readonly prefixes: readonly string[];
}

/** A key that ends in `#` is a prefix; any other is a whole key. */
function grantedByKey(grantee: IGrantable, { arn, actions, prefixes }: KeyGrant) {
  const keys = prefixes.map((prefix) => (prefix.endsWith('#') ? `${prefix}*` : prefix));
  Grant.addToPrincipal({
    grantee,
    actions: actions.map((action) => `dynamodb:${action}`),
    resourceArns: [arn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });
}

type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject' | 'AbortMultipartUpload' | 'ListMultipartUploadParts';

interface ObjectGrant {
  readonly actions: readonly [ObjectAction, ...ObjectAction[]];
  /** Prefixes of keys. @default all keys */
  readonly prefixes?: readonly string[];
  /** The end of the keys. @default any */
  readonly suffix?: string;
}

/** The bucket's name, and just these actions on its objects, by prefix. */
export const objects = (
  bucket: IBucket,
  ...grants: readonly [ObjectGrant, ...ObjectGrant[]]
): Binding & { andListsKeys(): Binding } => {
  const grantObjects = (grantee: IGrantable) => {
    for (const { actions, prefixes = [''], suffix = '' } of grants) {
      const patterns = prefixes.map((prefix) => `${prefix}*${suffix}`);
      granted(
        grantee,
        patterns.map((pattern) => bucket.arnForObjects(pattern)),
        actions.map((action) => `s3:${action}`),
      );
      for (const pattern of patterns) acknowledgePattern(grantee, bucket, pattern);
      grantDataKey(bucket, grantee, 's3', objectKeyActions(actions));
    }
  };
  return {
    value: bucket.bucketName,
    grantTo: grantObjects,
    /** Also grants listing of keys, without which reading a missing object fails with access denied. */
    andListsKeys: () => ({
      value: bucket.bucketName,
      grantTo: (grantee) => {
        grantObjects(grantee);
        granted(grantee, [bucket.bucketArn], ['s3:ListBucket']);
      },
    }),
  };
};

/** Parts of an upload are decrypted when they are put together. */
const READING: ReadonlySet<ObjectAction> = new Set(['GetObject', 'AbortMultipartUpload', 'ListMultipartUploadParts']);

const objectKeyActions = (actions: readonly ObjectAction[]) => [
  ...(actions.some((action) => READING.has(action)) ? (['Decrypt'] as const) : []),
  ...(actions.includes('PutObject') ? (['GenerateDataKey'] as const) : []),
];

/** The queue's address, and sending to it. */
export const sendsTo = (queue: IQueue): Binding => ({
  value: queue.queueUrl,
  grantTo: (grantee) => grantedSending(grantee, queue, 'sqs:SendMessage'),
});

interface KeyUse {
  readonly action: 'Encrypt' | 'Decrypt';
  /** The names that an encryption context must have, all of them and no other. */
  readonly context: readonly [string, ...string[]];
}

/** The key's ARN, and one use of it: a role that may encrypt cannot decrypt, and the other way round. */
export const usesKey = (key: IKey, { action, context }: KeyUse): Binding => ({
  value: key.keyArn,
  grantTo: (grantee) =>
    granted(grantee, [key.keyArn], [`kms:${action}`], {
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': context },
      // "For all values" also holds for an empty set.
      Null: Object.fromEntries(context.map((name) => [`kms:EncryptionContext:${name}`, 'false'])),
    }),
});

/** The secret's ARN, and reading its value. */
export const reads = (secret: ISecret): Binding => ({
  value: secret.secretArn,
  grantTo: (grantee) => {
    granted(grantee, [secret.secretArn], ['secretsmanager:GetSecretValue']);
    grantDataKey(secret, grantee, 'secretsmanager', KEY_ACTIONS.receives);
  },
});

/** The bus's name, and putting events on it that trigger webhooks, as this domain and no other. */
export const announcesOn = (bus: IEventBus, domain: string): Binding => ({
  value: bus.eventBusName,
  grantTo: (grantee) =>
    granted(grantee, [bus.eventBusArn], ['events:PutEvents'], {
      StringEquals: { 'events:source': domain, 'events:detail-type': WEBHOOK_TRIGGER },
    }),
});

/** The ARNs of topics, and counting who is subscribed to them. */
export const looksAtTopics = (topics: readonly ITopic[]): Binding => ({
  value: topics.map(({ topicArn }) => topicArn).join(),
  grantTo: (grantee) => {
    const arns = topics.map(({ topicArn }) => topicArn);
    if (arns.length > 0) granted(grantee, arns, ['sns:GetTopicAttributes']);
  },
});

/**
 * The address that mails are sent from, an identity that SES has verified. If empty, no mail is sent and no permission
 * is granted.
 */
export const sendsMailAs = (scope: Construct, sender: string): Binding => ({
  value: sender,
  grantTo: (grantee) => {
    if (sender === '') return;
    const identity = Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: sender });
    granted(grantee, [identity], ['ses:SendEmail']);
  },
});

/**
 * The readers of receipts, and the permission for Textract if it is one of them. Its actions do not support resources.
 */
export const readsReceiptsWith = (readers: string): Binding => ({
  value: readers,
  grantTo: (grantee) => {
    if (readers.includes('textract')) granted(grantee, ['*'], ['textract:AnalyzeExpense']);
  },
});

/** The pool's id, and removing people from it. */
export const removesPeopleOf = (pool: IUserPool): Binding => ({
  value: pool.userPoolId,
  grantTo: (grantee) => granted(grantee, [pool.userPoolArn], ['cognito-idp:ListUsers', 'cognito-idp:AdminDeleteUser']),
});

/** The pool's id, and making, changing and removing people of it. */
export const managesPeopleOf = (pool: IUserPool): Binding => ({
  value: pool.userPoolId,
  grantTo: (grantee) => granted(grantee, [pool.userPoolArn], MANAGING_PEOPLE),
});

const MANAGING_PEOPLE = [
  'AdminCreateUser',
  'AdminDeleteUser',
  'AdminDisableUser',
  'AdminEnableUser',
  'AdminGetUser',
  'AdminSetUserMFAPreference',
  'AdminSetUserPassword',
  'AdminUserGlobalSignOut',
].map((action) => `cognito-idp:${action}`);

/** The pool's id, signing people of it in, and ending their sessions after they have forgotten a password. */
export const signsPeopleIn = (pool: IUserPool): Binding => ({
  value: pool.userPoolId,
  grantTo: (grantee) =>
    granted(
      grantee,
      [pool.userPoolArn],
      [
        'cognito-idp:AdminInitiateAuth',
        'cognito-idp:AdminRespondToAuthChallenge',
        'cognito-idp:AdminUserGlobalSignOut',
      ],
    ),
});

/** The origin that presigned links to objects of the bucket lead to. Whoever has such a link needs no permission. */
export const originOf = (bucket: IBucket): Binding =>
  setting(`https://${bucket.bucketName}.s3.${Stack.of(bucket).region}.amazonaws.com`);

/** A value that needs no permission. */
export const setting = (value: string | number): Binding => ({ value: String(value) });

/**
 * The queue's address, and what its own worker needs: sending the rest of its work to itself, and holding a message
 * while it works.
 */
export const worksOn = (queue: IQueue): Binding => ({
  value: queue.queueUrl,
  grantTo: (grantee) => grantedSending(grantee, queue, 'sqs:SendMessage', 'sqs:ChangeMessageVisibility'),
});

/** The queue's address, sending to it, and reading how full it is. */
export const countsAndSends = (queue: IQueue): Binding => ({
  value: queue.queueUrl,
  grantTo: (grantee) => grantedSending(grantee, queue, 'sqs:SendMessage', 'sqs:GetQueueAttributes'),
});

function grantedSending(grantee: IGrantable, queue: IQueue, ...actions: string[]) {
  granted(grantee, [queue.queueArn], actions);
  grantDataKey(queue, grantee, 'sqs', KEY_ACTIONS.sends);
}

function granted(
  grantee: IGrantable,
  resourceArns: string[],
  actions: string[],
  conditions: Record<string, Record<string, unknown>> = {},
) {
  Grant.addToPrincipal({ grantee, actions, resourceArns, conditions });
}

/**
 * Objects can only be granted by prefix or suffix, with a wildcard that cdk-nag reports. The finding names the
 * export of the bucket's ARN, as the data stack exports it for the service stack.
 */
function acknowledgePattern({ grantPrincipal }: IGrantable, bucket: IBucket, pattern: string) {
  if (!Construct.isConstruct(grantPrincipal)) return;
  const owner = Stack.of(bucket);
  const arn: Record<string, string> = owner.resolve(owner.exportValue(bucket.bucketArn));
  Validations.of(grantPrincipal).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${arn['Fn::ImportValue']}/${pattern}]`,
    reason: 'Only actions that are called are granted; the keys are made at run time.',
  });
}
