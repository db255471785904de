import { Stack, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** One environment variable and the permission that makes its value usable, declared together so they cannot drift apart. */
export interface Binding {
  readonly value: string;
  readonly grantTo?: (grantee: IGrantable) => void;
}

/** A binding for every variable the handler's own `Env` type asks for: no more, no fewer. */
export type Bindings<Env> = { readonly [Name in keyof Env]-?: Binding };

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** The table's name, and just these actions on the table itself. */
export const allows = (table: ITable, ...actions: readonly [TableAction, ...TableAction[]]): Binding => ({
  value: table.tableName,
  grantTo: (grantee) =>
    granted(
      grantee,
      [table.tableArn],
      actions.map((action) => `dynamodb:${action}`),
    ),
});

/** The table's name, reading one of its indexes, and just these actions on the table itself. */
export const allowsIndex = (table: ITable, index: string, ...actions: readonly TableAction[]): Binding => ({
  value: table.tableName,
  grantTo: (grantee) => {
    granted(grantee, [`${table.tableArn}/index/${index}`], ['dynamodb:Query']);
    if (actions.length > 0)
      granted(
        grantee,
        [table.tableArn],
        actions.map((action) => `dynamodb:${action}`),
      );
  },
});

interface KeyGrant {
  readonly actions: readonly [TableAction, ...TableAction[]];
  /** Partition keys that begin so. */
  readonly prefixes: readonly [string, ...string[]];
}

/** The table's name, and just these actions on items of these partitions: for functions that speak to the outside. */
export const allowsKeys = (table: ITable, ...grants: readonly [KeyGrant, ...KeyGrant[]]): Binding => ({
  value: table.tableName,
  grantTo: (grantee) => {
    for (const { actions, prefixes } of grants) {
      Grant.addToPrincipal({
        grantee,
        actions: actions.map((action) => `dynamodb:${action}`),
        resourceArns: [table.tableArn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) } },
      });
    }
  },
});

type ObjectAction = 'GetObject' | 'PutObject' | 'DeleteObject' | 'AbortMultipartUpload';

interface ObjectGrant {
  readonly actions: readonly [ObjectAction, ...ObjectAction[]];
  /** Keys that begin so. @default all keys */
  readonly prefixes?: readonly string[];
}

/** The bucket's name, and just these actions on its objects, by prefix. */
export const objects = (
  bucket: IBucket,
  ...grants: readonly [ObjectGrant, ...ObjectGrant[]]
): Binding & { andListsKeys(): Binding } => {
  const grantObjects = (grantee: IGrantable) => {
    for (const { actions, prefixes = [''] } of grants) {
      granted(
        grantee,
        prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`)),
        actions.map((action) => `s3:${action}`),
      );
      for (const prefix of prefixes) acknowledgePrefix(grantee, bucket, prefix);
    }
  };
  return {
    value: bucket.bucketName,
    grantTo: grantObjects,
    /** Also lists keys. Without it a missing object reads as access denied. */
    andListsKeys: () => ({
      value: bucket.bucketName,
      grantTo: (grantee) => {
        grantObjects(grantee);
        granted(grantee, [bucket.bucketArn], ['s3:ListBucket']);
      },
    }),
  };
};

/** The queue's address, and sending to it. */
export const sendsTo = (queue: IQueue): Binding => ({
  value: queue.queueUrl,
  grantTo: (grantee) => granted(grantee, [queue.queueArn], ['sqs:SendMessage']),
});

interface KeyUse {
  readonly action: 'Encrypt' | 'Decrypt';
  /** The names that an encryption context must have, all of them and no other. */
  readonly context: readonly [string, ...string[]];
}

/** The key's ARN, and one use of it: who may encrypt cannot read, and the other way round. */
export const usesKey = (key: IKey, { action, context }: KeyUse): Binding => ({
  value: key.keyArn,
  grantTo: (grantee) =>
    Grant.addToPrincipal({
      grantee,
      actions: [`kms:${action}`],
      resourceArns: [key.keyArn],
      conditions: {
        'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': context },
        // "For all values" also holds for none.
        Null: Object.fromEntries(context.map((name) => [`kms:EncryptionContext:${name}`, 'false'])),
      },
    }),
});

/** A value that needs no permission. */
export const setting = (value: string | number): Binding => ({ value: String(value) });

/** The queue's address, and what its own worker needs: sending itself the rest, and keeping a message while it works. */
export const worksOn = (queue: IQueue): Binding => ({
  value: queue.queueUrl,
  grantTo: (grantee) => granted(grantee, [queue.queueArn], ['sqs:SendMessage', 'sqs:ChangeMessageVisibility']),
});

/** The queue's address, sending to it, and asking how full it is. */
export const countsAndSends = (queue: IQueue): Binding => ({
  value: queue.queueUrl,
  grantTo: (grantee) => granted(grantee, [queue.queueArn], ['sqs:SendMessage', 'sqs:GetQueueAttributes']),
});

function granted(grantee: IGrantable, resourceArns: string[], actions: string[]) {
  Grant.addToPrincipal({ grantee, actions, resourceArns });
}

/**
 * Objects can only be granted by prefix, and a prefix ends in a wildcard that cdk-nag asks about. The finding names the
 * export of the bucket's ARN, as the data stack makes it for the service stack.
 */
function acknowledgePrefix({ grantPrincipal }: IGrantable, bucket: IBucket, prefix: string) {
  if (!Construct.isConstruct(grantPrincipal)) return;
  const owner = Stack.of(bucket);
  const arn: Record<string, string> = owner.resolve(owner.exportValue(bucket.bucketArn));
  Validations.of(grantPrincipal).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${arn['Fn::ImportValue']}/${prefix}*]`,
    reason: 'The actions are those that are called; the keys below the prefix are made at run time.',
  });
}
