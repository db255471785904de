/** Partition keys of imports, the same in the table of every domain that has some. */
export const IMPORT = 'IMPORT#';
/** Of each import a small item, by its id alone, that is in the list of its owner's imports for as long as it is kept. */
export const IMPORT_ENTRY = 'IMPORT_ENTRY#';
/** The imports of an owner, running and ended. */
export const IMPORTS = 'IMPORTS#';
/** The list of imports that have not ended, where the waker looks for silent ones. */
export const RUNNING_IMPORTS = 'RUNNING_IMPORTS';
