import { member, type StoredKinds } from '#shared/export/stored-kinds';
import type { RecordsKey } from './table-keys.ts';

const OF_ALL = 'The records are the same for all tenants and belong to none.';

/** The kinds of items in the records table, and what exports and erasures do with them. */
export const RECORDS_KINDS: StoredKinds<RecordsKey> = {
  'DOWNLOADS#': { file: 'download-requests', tenant: member('tenant') },
  'REQUEST#': {
    tenant: member('tenant'),
    leftOut: 'It plans the work on a download request, and names its files, which are exported themselves.',
  },
  'IMPORT#': { ownerless: OF_ALL },
  'IMPORT_ENTRY#': { ownerless: OF_ALL },
  'IMPORT_PART#': { ownerless: OF_ALL },
  'INDEX#': { ownerless: OF_ALL },
  'SEQUENCE#': { ownerless: 'It counts the ids that were given to requests of all tenants.' },
  PROBE: { ownerless: 'It tests the stream, and belongs to no tenant.' },
};
