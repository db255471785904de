import { Stack } from 'aws-cdk-lib';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { CfnQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

/** The key of the operator that encrypts secrets, topics, queues and buckets; undefined where AWS's own keys do. */
export function dataKey(scope: Construct, id: string): IKey | undefined {
  const { dataKey: arn } = settingsOf(scope);
  return arn === '' ? undefined : Key.fromKeyArn(scope, `${id}Key`, arn);
}

/** A queue under the key of the operator, where there is one. */
export class EncryptedQueue extends Queue {
  constructor(scope: Construct, id: string, props: Omit<QueueProps, 'encryption' | 'encryptionMasterKey'>) {
    super(scope, id, { ...props, encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true });
    const { dataKey: arn } = settingsOf(this);
    const { defaultChild } = this.node;
    if (arn === '' || !(defaultChild instanceof CfnQueue)) return;
    // Set on the resource itself: with `encryptionMasterKey` every sender would get more actions on the key than it needs.
    defaultChild.sqsManagedSseEnabled = undefined;
    defaultChild.kmsMasterKeyId = arn;
  }
}

type KeyAction = 'Decrypt' | 'GenerateDataKey';

/** Lists the actions that AWS takes on the key in the name of a caller that sends messages, or receives what is encrypted. */
export const KEY_ACTIONS = {
  sends: ['Decrypt', 'GenerateDataKey'],
  receives: ['Decrypt'],
} as const satisfies Record<string, readonly KeyAction[]>;

type Service = 's3' | 'sqs' | 'secretsmanager';

/** Lets a role use the key of the operator, where there is one, through this service alone. */
export function grantDataKey(
  scope: Construct,
  { grantPrincipal }: IGrantable,
  service: Service,
  actions: readonly KeyAction[],
): void {
  for (const statement of dataKeyStatements(scope, service, actions)) grantPrincipal.addToPrincipalPolicy(statement);
}

/** Returns the statement that lets a role do so; none where AWS's own keys encrypt. */
export function dataKeyStatements(
  scope: Construct,
  service: Service,
  actions: readonly KeyAction[],
): readonly PolicyStatement[] {
  const { dataKey: arn } = settingsOf(scope);
  if (arn === '' || actions.length === 0) return [];
  return [
    new PolicyStatement({
      actions: actions.map((action) => `kms:${action}`),
      resources: [arn],
      conditions: { StringEquals: { 'kms:ViaService': `${service}.${Stack.of(scope).region}.amazonaws.com` } },
    }),
  ];
}
