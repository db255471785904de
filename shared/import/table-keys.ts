/** Partition keys of imports, the same in the table of every domain that has some. */
export const IMPORT = 'IMPORT#';
/** The list of imports that have not ended, where the waker looks for silent ones. */
export const RUNNING_IMPORTS = 'RUNNING_IMPORTS';
