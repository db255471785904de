import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { WebhooksIndexes, WebhooksKey, WebhooksList } from '../../../functions/webhooks/table-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';
import { type Binding, usesKey } from '../../constructs/functions/bindings.ts';
import { settingsOf } from '../../settings.ts';

/** The encryption context of every secret: its owner. */
const SECRET_CONTEXT = ['tenant', 'configuration'] as const;

/** The key to the secrets of webhook targets, by tenant and configuration. */
class Secrets {
  readonly key: Key;

  constructor(scope: Construct) {
    const { retainData } = settingsOf(scope);
    this.key = new Key(scope, 'Secrets', {
      description: 'Secrets of webhook targets, by tenant and configuration.',
      enableKeyRotation: true,
      removalPolicy: retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    // A grant outlives the role that made it.
    this.key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['kms:CreateGrant'],
        resources: ['*'],
        conditions: {
          BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' },
        },
      }),
    );
  }

  encrypts(): Binding {
    return usesKey(this.key, { action: 'Encrypt', context: SECRET_CONTEXT });
  }

  decrypts(): Binding {
    return usesKey(this.key, { action: 'Decrypt', context: SECRET_CONTEXT });
  }
}

/** The retained resources: configurations, rules and runs, and the key that encrypts their secrets. */
export class WebhooksData extends Construct {
  readonly table = new DomainTable<WebhooksKey, WebhooksList, WebhooksIndexes>(this, 'Table', {
    hasStream: true,
    indexes: [
      {
        indexName: 'Log',
        partitionKey: { name: 'log', type: AttributeType.STRING },
        sortKey: { name: 'logPosition', type: AttributeType.STRING },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['outcome', 'module', 'configurationId', 'record'],
      },
      {
        indexName: 'Failed',
        partitionKey: { name: 'failed', type: AttributeType.STRING },
        sortKey: { name: 'logPosition', type: AttributeType.STRING },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['module', 'configurationId', 'record'],
      },
      {
        indexName: 'Due',
        partitionKey: { name: 'due', type: AttributeType.STRING },
        sortKey: { name: 'nextSweepAt', type: AttributeType.NUMBER },
        projectionType: ProjectionType.KEYS_ONLY,
      },
      {
        indexName: 'Parked',
        partitionKey: { name: 'parked', type: AttributeType.STRING },
        sortKey: { name: 'nextAttemptAt', type: AttributeType.NUMBER },
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
  });
  readonly secrets = new Secrets(this);

  get secretsKeyArn(): string {
    return this.secrets.key.keyArn;
  }
}
