/** The app as `startCloud` runs it: an assembly, and the code of its functions. */
import type { LocalParameters } from '../local-parameters.ts';
import { bundledFunctions } from './bundled-functions.ts';
import type { Step } from './steps.ts';
import { synthesized } from './synthesis.ts';

export interface LocalApp {
  readonly assemblyDir: string;
  readonly parameters: LocalParameters;
}

/** Both are made at the same time, each when its sources have changed. */
export async function localApp(root: string, step: Step): Promise<LocalApp> {
  const [assemblyDir, FunctionsFolder] = await Promise.all([synthesized(root, step), bundledFunctions(root, step)]);
  return { assemblyDir, parameters: { FunctionsFolder } };
}
