import type { PROBE } from '#shared/events/probe-key';
import type { IMPORT, IMPORT_ENTRY, IMPORT_PART, IMPORTS, RUNNING_IMPORTS } from '#shared/import/table-keys';
import type { SequenceKey } from '#shared/table/integer-ids';

/** Prefixes of partition keys in the records table. Adapters build keys from them, and the constructs grant by them. */
export const INDEX = 'INDEX#';
/** The requests of a token. */
export const DOWNLOADS = 'DOWNLOADS#';
/** The plan and the files of one request. */
export const REQUEST = 'REQUEST#';
export type RecordsKey =
  | SequenceKey
  | typeof IMPORT
  | typeof IMPORT_ENTRY
  | typeof IMPORT_PART
  | typeof INDEX
  | typeof DOWNLOADS
  | typeof REQUEST
  | typeof PROBE;

/** The lists of the index `Listing`: unfinished work, in which wakers look for silent work. */
export const RUNNING_DOWNLOADS = 'RUNNING_DOWNLOADS';
export type RecordsList = typeof RUNNING_DOWNLOADS | typeof RUNNING_IMPORTS | typeof IMPORTS;
