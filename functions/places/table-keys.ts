import type { PROBE } from '#shared/events/probe-key';
import type { IMPORT, IMPORT_ENTRY, IMPORTS, RUNNING_IMPORTS } from '#shared/import/table-keys';
import type { QuotaKey } from '#shared/quotas/quotas';
import type { SequenceKey } from '#shared/table/integer-ids';

/** Prefixes of partition keys in the places table. Adapters build keys from them, and the constructs grant by them. */
export const PLACE = 'PLACE#';
export const AD_UNIT = 'AD_UNIT#';
/** The newest listing of a customer. */
export const LISTING = 'LISTING#';
/** Holds a customer's counts by day, and the last check-in at each place. */
export const STANDING = 'STANDING#';
export type PlacesKey =
  | QuotaKey
  | SequenceKey
  | typeof PLACE
  | typeof AD_UNIT
  | typeof LISTING
  | typeof STANDING
  | typeof IMPORT
  | typeof IMPORT_ENTRY
  | typeof PROBE;

/** Prefixes of partition keys in the index `Listing`. */
export const PLACES = 'PLACES#';
export const AD_UNITS = 'AD_UNITS#';
export type PlacesList = typeof PLACES | typeof AD_UNITS | typeof RUNNING_IMPORTS | typeof IMPORTS;

/** The places of a tenant by cell of the globe: partition keys of the index `Cells`. */
export const CELL = 'CELL#';
export interface PlacesIndexes {
  readonly Cells: typeof CELL;
}
