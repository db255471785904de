/**
 * The program of a process that opens files for `fileOpener`, one at a time. Importing the module tells where it is, in
 * sources and in bundles alike; only a process that begins with it opens anything.
 */
import { fileURLToPath } from 'node:url';

export const PROGRAM = fileURLToPath(import.meta.url);

if (import.meta.main) await import('./opening-loop.process.ts');
