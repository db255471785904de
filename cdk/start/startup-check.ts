/** Finds what keeps a local run from starting. It imports no packages, because it answers before they are loaded. */
import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const IN_MEMORY = ':memory:';

/** A message for the terminal; undefined if nothing prevents the start. */
export function startupProblem(root: string, dataDir: string): string | undefined {
  const cache = join(root, 'node_modules', '.cache');
  const unwritable = whyUnwritable(cache);
  if (unwritable !== undefined) {
    return `npm start keeps what it builds in ${cache}, which cannot be written (${unwritable}): use a checkout that you can write to.`;
  }
  if (dataDir === IN_MEMORY) return undefined;
  const folder = resolve(root, dataDir);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    return `LOCAL_DATA_DIR is ${folder}, which is a file. Set it to a folder.`;
  }
  const why = whyUnwritable(folder);
  return why && `The data folder ${folder} cannot be written (${why}). Set LOCAL_DATA_DIR to another one.`;
}

/** Creates the folder if it is missing, and tries to write: permissions alone do not reveal a read-only disk. */
function whyUnwritable(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    rmdirSync(mkdtempSync(join(folder, 'try-')));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
