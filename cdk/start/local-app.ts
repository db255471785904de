/** The app as `startCloud` runs it: an assembly, and the code of its functions. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeUnused } from '../asset-cache.ts';
import type { LocalParameters } from '../local-parameters.ts';
import { bundledFunctions } from './bundled-functions.ts';
import type { Step } from './steps.ts';
import { synthesized } from './synthesis.ts';
import { type SourceChanges, watchSources } from './watched-sources.ts';

/** The time after which folders of killed runs are removed. A run writes to its own folder at every change. */
const WATCHED_DAYS = 7;

/** The same with functions that follow their sources, in a folder of this run. */
export async function watchedApp(root: string, step: Step, changes: SourceChanges): Promise<LocalApp> {
  const runs = join(root, 'node_modules', '.cache', 'watched-functions');
  mkdirSync(runs, { recursive: true });
  removeUnused(runs, { days: WATCHED_DAYS });
  const FunctionsFolder = mkdtempSync(join(runs, 'run-'));
  process.once('exit', () => rmSync(FunctionsFolder, { recursive: true, force: true }));
  const [assemblyDir] = await Promise.all([
    synthesized(root, step),
    step('Bundling the functions', () => watchSources(root, FunctionsFolder, changes)),
  ]);
  return { assemblyDir, parameters: { FunctionsFolder } };
}

export interface LocalApp {
  readonly assemblyDir: string;
  readonly parameters: LocalParameters;
}

/** Both are made at the same time, each when its sources have changed. */
export async function localApp(root: string, step: Step): Promise<LocalApp> {
  const [assemblyDir, FunctionsFolder] = await Promise.all([synthesized(root, step), bundledFunctions(root, step)]);
  return { assemblyDir, parameters: { FunctionsFolder } };
}
