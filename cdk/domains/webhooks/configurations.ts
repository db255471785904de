import type { Construct } from 'constructs';
import { setting } from '../../constructs/bindings.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/domain-stack.ts';

/** Where webhooks go, and the rules that fire them. */
export function addConfigurations(scope: Construct, { data: { webhooks }, edge: { api } }: Foundations): void {
  const { table, secrets } = webhooks;
  const ifItFails = 'Tenants cannot manage their webhooks; those that are set up keep working.';
  api.serve(
    new ServiceFunction(scope, 'webhooks/configurations/configurations', {
      bindings: {
        WEBHOOKS_TABLE: table.allows(
          {
            'CONFIGURATION#': ['GetItem', 'PutItem', 'DeleteItem'],
            'CONFIGURATION_NAME#': ['PutItem', 'DeleteItem'],
          },
          { lists: ['CONFIGURATIONS#'] },
        ),
        SECRETS_KEY: secrets.encrypts(),
        PRIVATE_TARGETS: setting(settingsOf(scope).webhookPrivateTargets),
      },
      ifItFails,
    }),
  );
  api.serve(
    new ServiceFunction(scope, 'webhooks/rules/rules', {
      bindings: {
        WEBHOOKS_TABLE: table.allows(
          {
            'RULE#': ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
            'MATCH#': ['PutItem', 'DeleteItem'],
            'CONFIGURATION#': ['ConditionCheckItem'],
          },
          { lists: ['RULES#'] },
        ),
      },
      ifItFails,
    }),
  );
  api.serve(
    new ServiceFunction(scope, 'webhooks/modules/modules', {
      bindings: {},
      ifItFails: 'Tenants do not see which variables a rule may use, or what it would send.',
    }),
  );
}
