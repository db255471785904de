/** Prefixes of partition keys of imports, the same in the table of every domain that imports. */
export const IMPORT = 'IMPORT#';
/** A small item per import, keyed by its id, for the list of its owner's imports. */
export const IMPORT_ENTRY = 'IMPORT_ENTRY#';
/** The parts of an import that several workers read, keyed by its id. */
export const IMPORT_PART = 'IMPORT_PART#';
/** The list of an owner's imports, running and finished. */
export const IMPORTS = 'IMPORTS#';
/** The list of running imports, in which the waker finds those without progress. */
export const RUNNING_IMPORTS = 'RUNNING_IMPORTS';
