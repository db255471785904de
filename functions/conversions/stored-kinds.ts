import { inKey, member, type StoredKinds } from '#shared/export/stored-kinds';
import type { ConversionsKey } from './table-keys.ts';

/** The kinds of items in the conversions table, and what exports and erasures do with them. */
export const CONVERSIONS_KINDS: StoredKinds<ConversionsKey> = {
  // `ks` has the hashes of the credentials, which are exported without them.
  'METER#': { file: 'meter', tenant: inKey, secrets: ['ks'] },
  'CREDENTIAL#': { file: 'credentials', tenant: member('tenant'), secrets: ['hash'] },
  'PERIOD#': { file: 'periods', tenant: inKey, stays: 'invoices' },
  'INVOICE#': { file: 'invoices', tenant: inKey, stays: 'invoices' },
  'PAYMENT#': { file: 'payments', tenant: inKey, stays: 'invoices' },
  'PAYMENT_EVENT#': { file: 'payment-events', tenant: inKey, stays: 'invoices' },
  'ANNOUNCEMENT#': { file: 'announcements', tenant: inKey },
  'LATE_USAGE#': { file: 'late-usage', tenant: member('tenant') },
  'USAGE#': { file: 'usage', tenant: inKey },
  'ANSWER#': {
    tenant: inKey,
    leftOut: 'It repeats an answer to a request that is sent again, for a day, under a digest.',
  },
};
