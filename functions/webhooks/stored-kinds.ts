import { inKey, type StoredKinds } from '#shared/export/stored-kinds';
import type { WebhooksKey } from './table-keys.ts';

/** The kinds of items in the webhooks table, and what exports and erasures do with them. */
export const WEBHOOKS_KINDS: StoredKinds<WebhooksKey> = {
  'CONFIGURATION#': {
    file: 'api-configurations',
    tenant: inKey,
    secrets: ['authentication.secret', 'signingSecrets'],
  },
  'RULE#': { file: 'rules', tenant: inKey },
  'RUN#': { file: 'runs', tenant: inKey, secrets: ['lease'] },
  'SUBJECT_REQUEST#': { file: 'subject-requests', tenant: inKey },
  'BULK_REPLAY#': { file: 'bulk-replays', tenant: inKey },
  'CONFIGURATION_NAME#': { tenant: inKey, leftOut: 'It reserves the name of a configuration that is exported itself.' },
  'CONFIGURATION_RULES#': { tenant: inKey, leftOut: 'It counts rules that are exported themselves.' },
  'CONFIGURATION_TESTS#': { tenant: inKey, leftOut: 'It counts the tests of one minute.' },
  'MATCH#': { tenant: inKey, leftOut: 'It leads from a trigger to rules that are exported themselves.' },
  'LOAD#': { tenant: inKey, leftOut: 'It holds the slots of attempts that are under way.' },
  'QUOTA#': { tenant: inKey, leftOut: 'It counts what a tenant may still make.' },
  'RUNNING_BULK_REPLAY#': { tenant: inKey, leftOut: 'It leads to a bulk replay that is exported itself.' },
};
