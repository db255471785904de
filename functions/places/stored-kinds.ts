import { inKey, keyPart, member, type StoredItem, type StoredKinds } from '#shared/export/stored-kinds';
import type { PlacesKey } from './table-keys.ts';

/** `IMPORT#{tenant}/…`: the key of the imported object begins with the tenant. */
const ofImport = (item: StoredItem) => String(keyPart(1)(item)).split('/')[0];

/** The kinds of items in the places table, and what exports and erasures do with them. */
export const PLACES_KINDS: StoredKinds<PlacesKey> = {
  'PLACE#': { file: 'places', tenant: inKey },
  'AD_UNIT#': { file: 'ad-units', tenant: inKey },
  'LISTING#': { file: 'listings', tenant: inKey, customer: keyPart(2) },
  'STANDING#': { file: 'check-ins', tenant: inKey, customer: keyPart(2) },
  'IMPORT#': { file: 'imports', tenant: ofImport },
  'IMPORT_ENTRY#': { file: 'import-entries', tenant: member('owner') },
  'SEQUENCE#': { tenant: inKey, leftOut: 'It counts the ids that were given.' },
  'QUOTA#': { tenant: inKey, leftOut: 'It counts what a tenant may still make.' },
  PROBE: { ownerless: 'It tests the stream, and belongs to no tenant.' },
};
