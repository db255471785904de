/**
 * The program of the process that opens files for `fileOpener`, one at a time. Importing the module yields its path, in
 * sources and bundles alike; it opens files only as the main program of a process.
 */
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(import.meta.url);

if (import.meta.main) await import('./opening-loop.process.ts');
