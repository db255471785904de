/** The stacks that `npm start` deploys, synthesized once for all test files. Their stage is dev. */
import { join } from 'node:path';
import { type AssemblyStack, readAssembly } from '../../../cdk/local/assembly/assembly.ts';
import { silentSteps } from '../../../cdk/start/steps.ts';
import { synthesized } from '../../../cdk/start/synthesis.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export const localStacks = async (): Promise<readonly AssemblyStack[]> =>
  readAssembly(await synthesized(ROOT, silentSteps));

/** The functions of handlers: those of custom resources are called by a deployment only. */
export async function localFunctions() {
  return (await localStacks()).flatMap(({ template: { Resources, Parameters }, pathOf }) =>
    Object.entries(Resources)
      .filter(([id, { Type }]) => Type === 'AWS::Lambda::Function' && !pathOf(id).includes('/Custom::'))
      // oxlint-disable-next-line typescript/no-explicit-any -- properties of any function
      .map(([, { Properties }]) => ({ Properties: Properties as Record<string, any>, Parameters })),
  );
}
