import type { Construct } from 'constructs';
import type { FixedEgress } from '../../constructs/fixed-egress.ts';
import { setting } from '../../constructs/functions/bindings.ts';
import { localParameter } from '../../constructs/functions/local-parameter.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** The longest test, 20 s, and what is read before it; the API waits for 30 s. */
const TEST_SECONDS = 28;
const MANAGEMENT_FAILS = 'Tenants cannot manage their webhooks; those that are set up keep working.';

/** The functions of API configurations, and of the rules that send webhooks to them. */
export function addConfigurations(scope: Construct, on: Foundations, egress: FixedEgress | undefined): void {
  const { accounts } = on.data;
  const { table, secrets } = on.data.webhooks;
  const { api } = on.edge;
  addRules(scope, on);
  api.serve(scope, 'webhooks/configurations/configurations', {
    bindings: {
      ...accounts.auditing,
      WEBHOOKS_TABLE: table.allows(
        {
          'CONFIGURATION#': ['GetItem', 'PutItem', 'DeleteItem'],
          'CONFIGURATION_NAME#': ['GetItem', 'PutItem', 'DeleteItem'],
          'CONFIGURATION_RULES#': ['DeleteItem'],
        },
        { lists: ['CONFIGURATIONS#'] },
      ),
      SECRETS_KEY: secrets.encrypts(),
      PRIVATE_TARGETS: setting(localParameter(scope, 'WebhookPrivateTargets', '')),
    },
    ifItFails: MANAGEMENT_FAILS,
  });
  api.serve(scope, 'webhooks/configurations/signing-secrets', {
    bindings: {
      ...accounts.auditing,
      WEBHOOKS_TABLE: table.allows({ 'CONFIGURATION#': ['GetItem', 'PutItem'] }),
      SECRETS_KEY: secrets.encrypts(),
    },
    ifItFails: 'Tenants cannot rotate the secrets that sign their webhooks; those that exist keep signing.',
  });
  // The only API function that may decrypt secrets and call endpoints.
  api.serve(scope, 'webhooks/configuration-tests/test-configuration', {
    egress,
    memoryMiB: 256,
    timeoutSeconds: TEST_SECONDS,
    bindings: {
      ...accounts.auditing,
      ACCOUNTS_TABLE: accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }),
      WEBHOOKS_TABLE: table.allows({ 'CONFIGURATION#': ['GetItem'], 'CONFIGURATION_TESTS#': ['UpdateItem'] }),
      SECRETS_KEY: secrets.decrypts(),
      PRIVATE_TARGETS: setting(localParameter(scope, 'WebhookPrivateTargets', '')),
      EXTRA_CA_FILE: setting(localParameter(scope, 'WebhookExtraCaFile', '')),
    },
    ifItFails: 'Tenants cannot try out an endpoint; webhooks go out all the same.',
  });
}

/** The rules that fire webhooks, and what they may be written on. */
function addRules(scope: Construct, { data: { accounts, webhooks }, edge: { api } }: Foundations): void {
  api.serve(scope, 'webhooks/rules/rules', {
    bindings: {
      ...accounts.auditing,
      WEBHOOKS_TABLE: webhooks.table.allows(
        {
          'RULE#': ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
          'MATCH#': ['PutItem', 'DeleteItem'],
          'CONFIGURATION#': ['ConditionCheckItem'],
          'CONFIGURATION_RULES#': ['UpdateItem'],
          'QUOTA#': ['UpdateItem'],
        },
        { lists: ['RULES#'] },
      ),
      RULES_PER_TENANT: setting(settingsOf(scope).rulesPerTenant),
    },
    ifItFails: MANAGEMENT_FAILS,
  });
  api.serve(scope, 'webhooks/rule-previews/rule-previews', {
    bindings: {},
    ifItFails: 'Tenants do not see which variables a rule may use, or what it would send.',
  });
}
