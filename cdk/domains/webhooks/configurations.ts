import type { Construct } from 'constructs';
import type * as CreateConfiguration from '../../../functions/webhooks/configurations/create-configuration.handler.ts';
import type * as DeleteConfiguration from '../../../functions/webhooks/configurations/delete-configuration.handler.ts';
import type * as GetConfigurations from '../../../functions/webhooks/configurations/get-configurations.handler.ts';
import type * as SaveConfiguration from '../../../functions/webhooks/configurations/save-configuration.handler.ts';
import type * as CreateRule from '../../../functions/webhooks/rules/create-rule.handler.ts';
import type * as DeleteRule from '../../../functions/webhooks/rules/delete-rule.handler.ts';
import type * as GetRules from '../../../functions/webhooks/rules/get-rules.handler.ts';
import type * as SaveRule from '../../../functions/webhooks/rules/save-rule.handler.ts';
import { setting } from '../../constructs/bindings.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { settingsOf } from '../../settings.ts';
import type { WebhooksProps } from './webhooks-data.ts';

/** Where webhooks go, and the rules that fire them. */
export function addConfigurations(scope: Construct, { api, data: { table, secrets } }: WebhooksProps): void {
  const managing = 'Tenants cannot manage their webhooks; those that are set up go on.';

  const encryptsSecrets = {
    SECRETS_KEY: secrets.encrypts(),
    PRIVATE_TARGETS: setting(settingsOf(scope).webhookPrivateTargets),
  };
  const createConfiguration = new ServiceFunction<CreateConfiguration.Env>(scope, 'CreateConfiguration', {
    handlerOf: 'webhooks/configurations/create-configuration',
    bindings: { WEBHOOKS_TABLE: table.allows('PutItem'), ...encryptsSecrets },
    ifItFails: managing,
  });
  const getConfigurations = new ServiceFunction<GetConfigurations.Env>(scope, 'GetConfigurations', {
    handlerOf: 'webhooks/configurations/get-configurations',
    bindings: { WEBHOOKS_TABLE: table.lists('GetItem') },
    ifItFails: managing,
  });
  const saveConfiguration = new ServiceFunction<SaveConfiguration.Env>(scope, 'SaveConfiguration', {
    handlerOf: 'webhooks/configurations/save-configuration',
    bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem'), ...encryptsSecrets },
    ifItFails: managing,
  });
  const deleteConfiguration = new ServiceFunction<DeleteConfiguration.Env>(scope, 'DeleteConfiguration', {
    handlerOf: 'webhooks/configurations/delete-configuration',
    bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'DeleteItem') },
    ifItFails: managing,
  });
  api.managementRoute('POST', '/manage/v1/api-configurations', createConfiguration);
  api.managementRoute('GET', '/manage/v1/api-configurations', getConfigurations);
  api.managementRoute('GET', '/manage/v1/api-configurations/{id}', getConfigurations);
  api.managementRoute('PUT', '/manage/v1/api-configurations/{id}', saveConfiguration);
  api.managementRoute('PATCH', '/manage/v1/api-configurations/{id}', saveConfiguration);
  api.managementRoute('DELETE', '/manage/v1/api-configurations/{id}', deleteConfiguration);

  const createRule = new ServiceFunction<CreateRule.Env>(scope, 'CreateRule', {
    handlerOf: 'webhooks/rules/create-rule',
    bindings: { WEBHOOKS_TABLE: table.allows('PutItem', 'ConditionCheckItem') },
    ifItFails: managing,
  });
  const getRules = new ServiceFunction<GetRules.Env>(scope, 'GetRules', {
    handlerOf: 'webhooks/rules/get-rules',
    bindings: { WEBHOOKS_TABLE: table.lists('GetItem', 'BatchGetItem') },
    ifItFails: managing,
  });
  const saveRule = new ServiceFunction<SaveRule.Env>(scope, 'SaveRule', {
    handlerOf: 'webhooks/rules/save-rule',
    bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem') },
    ifItFails: managing,
  });
  const deleteRule = new ServiceFunction<DeleteRule.Env>(scope, 'DeleteRule', {
    handlerOf: 'webhooks/rules/delete-rule',
    bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'DeleteItem') },
    ifItFails: managing,
  });
  api.managementRoute('POST', '/manage/v1/rules', createRule);
  api.managementRoute('GET', '/manage/v1/rules', getRules);
  api.managementRoute('GET', '/manage/v1/rules/{id}', getRules);
  api.managementRoute('PUT', '/manage/v1/rules/{id}', saveRule);
  api.managementRoute('PATCH', '/manage/v1/rules/{id}', saveRule);
  api.managementRoute('DELETE', '/manage/v1/rules/{id}', deleteRule);
}
