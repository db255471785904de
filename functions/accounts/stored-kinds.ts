import { inKey, keyPart, member, type StoredKinds } from '#shared/export/stored-kinds';
import type { AccountsKey } from './table-keys.ts';

/** The kinds of items in the accounts table, and what exports and erasures do with them. */
export const ACCOUNTS_KINDS: StoredKinds<AccountsKey> = {
  'ACCOUNT#': { file: 'accounts', tenant: member('id'), stays: 'account' },
  'DATA_TOKEN#': { file: 'data-tokens', tenant: member('tenant') },
  'MANAGEMENT_KEY#': { file: 'management-keys', tenant: member('tenant'), secrets: ['hash'] },
  'PERSON#': { file: 'roles', tenant: member('tenant') },
  'ADMINS#': { tenant: inKey, leftOut: 'It lists the active admins, who are exported themselves.' },
  'AUDIT#': { file: 'audit', tenant: inKey, stays: 'audit' },
  'APP#': { file: 'apps', tenant: member('tenant'), secrets: ['secretHash'] },
  'CUSTOMER#': { file: 'customers', tenant: inKey, customer: keyPart(2) },
  'POINTS#': { file: 'points', tenant: inKey, customer: keyPart(2) },
  'ERASURE#': { file: 'erasures', tenant: inKey, customer: member('customer') },
  'EXTERNAL#': {
    tenant: inKey,
    leftOut: 'It maps an external id to the customer, whose profile has the same id.',
  },
  OPEN_ERASURES: { tenant: member('tenant'), leftOut: 'It lists erasures that are exported themselves.' },
  'MANAGEMENT_RATE#': { tenant: inKey, leftOut: 'It limits calls per second, and expires within a day.' },
  'ANSWER#': {
    tenant: inKey,
    leftOut:
      'It repeats an answer to whoever sends the same request again, sealed with the credential of that caller, and expires within a day.',
  },
  SCHEDULE_RUNS: { ownerless: 'When each schedule of the deployment ran last.' },
  'PREVIEWS#': {
    tenant: inKey,
    leftOut: 'It limits free searches by digests of the records shown, and expires within two days.',
  },
};
