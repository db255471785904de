import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type * as ChangeConfiguration from '../../functions/webhooks/change-configuration.handler.ts';
import type * as ChangeRule from '../../functions/webhooks/change-rule.handler.ts';
import type * as CreateConfiguration from '../../functions/webhooks/create-configuration.handler.ts';
import type * as CreateRule from '../../functions/webhooks/create-rule.handler.ts';
import type * as DeleteConfiguration from '../../functions/webhooks/delete-configuration.handler.ts';
import type * as DeleteRule from '../../functions/webhooks/delete-rule.handler.ts';
import type * as GetConfigurations from '../../functions/webhooks/get-configurations.handler.ts';
import type * as GetRules from '../../functions/webhooks/get-rules.handler.ts';
import type * as ReplaceConfiguration from '../../functions/webhooks/replace-configuration.handler.ts';
import type * as ReplaceRule from '../../functions/webhooks/replace-rule.handler.ts';
import { setting, usesKey } from '../constructs/bindings.ts';
import { DomainTable } from '../constructs/domain-table.ts';
import type { PublicApi } from '../constructs/public-api.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { settingsOf } from '../settings.ts';

/** The encryption context of every secret: whose it is. */
const SECRET_CONTEXT = ['tenant', 'configuration'] as const;

/** What must outlive every deployment: configurations, rules and runs, and the key to the secrets among them. */
export class WebhooksData extends Construct {
  readonly table = new DomainTable(this, 'Table', {
    stream: StreamViewType.NEW_IMAGE,
    indexes: [
      {
        indexName: 'Log',
        partitionKey: { name: 'log', type: AttributeType.STRING },
        sortKey: { name: 'logPosition', type: AttributeType.STRING },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['outcome', 'module', 'configurationId', 'record'],
      },
      {
        indexName: 'Due',
        partitionKey: { name: 'due', type: AttributeType.STRING },
        sortKey: { name: 'lookAt', type: AttributeType.NUMBER },
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
  });
  readonly secretsKey: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { retainData } = settingsOf(this);
    this.secretsKey = new Key(this, 'Secrets', {
      description: 'Secrets of webhook targets, by tenant and configuration.',
      enableKeyRotation: true,
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

export interface WebhooksProps {
  readonly api: PublicApi;
  readonly data: WebhooksData;
}

/** Outbound webhooks: where they go, and which events fire them. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, { api, data: { table, secretsKey } }: WebhooksProps) {
    super(scope, id);
    const managing = 'Tenants cannot manage their webhooks; those that are set up go on.';

    const encryptsSecrets = {
      SECRETS_KEY: usesKey(secretsKey, { action: 'Encrypt', context: SECRET_CONTEXT }),
      PRIVATE_TARGETS: setting(settingsOf(this).webhookPrivateTargets),
    };
    const createConfiguration = new ServiceFunction<CreateConfiguration.Env>(this, 'CreateConfiguration', {
      handlerOf: 'webhooks/create-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('PutItem'), ...encryptsSecrets },
      ifItFails: managing,
    });
    const getConfigurations = new ServiceFunction<GetConfigurations.Env>(this, 'GetConfigurations', {
      handlerOf: 'webhooks/get-configurations',
      bindings: { WEBHOOKS_TABLE: table.lists('GetItem') },
      ifItFails: managing,
    });
    const replaceConfiguration = new ServiceFunction<ReplaceConfiguration.Env>(this, 'ReplaceConfiguration', {
      handlerOf: 'webhooks/replace-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem'), ...encryptsSecrets },
      ifItFails: managing,
    });
    const changeConfiguration = new ServiceFunction<ChangeConfiguration.Env>(this, 'ChangeConfiguration', {
      handlerOf: 'webhooks/change-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem'), ...encryptsSecrets },
      ifItFails: managing,
    });
    const deleteConfiguration = new ServiceFunction<DeleteConfiguration.Env>(this, 'DeleteConfiguration', {
      handlerOf: 'webhooks/delete-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'DeleteItem') },
      ifItFails: managing,
    });
    api.managementRoute('POST', '/manage/v1/api-configurations', createConfiguration);
    api.managementRoute('GET', '/manage/v1/api-configurations', getConfigurations);
    api.managementRoute('GET', '/manage/v1/api-configurations/{id}', getConfigurations);
    api.managementRoute('PUT', '/manage/v1/api-configurations/{id}', replaceConfiguration);
    api.managementRoute('PATCH', '/manage/v1/api-configurations/{id}', changeConfiguration);
    api.managementRoute('DELETE', '/manage/v1/api-configurations/{id}', deleteConfiguration);

    const createRule = new ServiceFunction<CreateRule.Env>(this, 'CreateRule', {
      handlerOf: 'webhooks/create-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('PutItem', 'ConditionCheckItem') },
      ifItFails: managing,
    });
    const getRules = new ServiceFunction<GetRules.Env>(this, 'GetRules', {
      handlerOf: 'webhooks/get-rules',
      bindings: { WEBHOOKS_TABLE: table.lists('GetItem', 'BatchGetItem') },
      ifItFails: managing,
    });
    const replaceRule = new ServiceFunction<ReplaceRule.Env>(this, 'ReplaceRule', {
      handlerOf: 'webhooks/replace-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem') },
      ifItFails: managing,
    });
    const changeRule = new ServiceFunction<ChangeRule.Env>(this, 'ChangeRule', {
      handlerOf: 'webhooks/change-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem') },
      ifItFails: managing,
    });
    const deleteRule = new ServiceFunction<DeleteRule.Env>(this, 'DeleteRule', {
      handlerOf: 'webhooks/delete-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'DeleteItem') },
      ifItFails: managing,
    });
    api.managementRoute('POST', '/manage/v1/rules', createRule);
    api.managementRoute('GET', '/manage/v1/rules', getRules);
    api.managementRoute('GET', '/manage/v1/rules/{id}', getRules);
    api.managementRoute('PUT', '/manage/v1/rules/{id}', replaceRule);
    api.managementRoute('PATCH', '/manage/v1/rules/{id}', changeRule);
    api.managementRoute('DELETE', '/manage/v1/rules/{id}', deleteRule);
  }
}
