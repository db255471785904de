/** The templates that `npm start` deploys, synthesized once for all test files. Their stage is dev. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silently } from '../../cdk/local/steps.ts';
import { synthesized } from '../../cdk/local/synthesis.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface LocalTemplate {
  /** Of its stack. */
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: any }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: string }>>;
}

export async function localTemplates(): Promise<LocalTemplate[]> {
  const folder = await synthesized(ROOT, silently);
  return globSync('*.template.json', { cwd: folder })
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.template.json'.length),
      ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
    }));
}

/** The functions of handlers: of the edge and the domains. */
export async function localFunctions() {
  const services = (await localTemplates()).filter(({ name }) => name !== 'five-services-dev-data');
  return services.flatMap(({ Resources, Parameters = {} }) =>
    Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => ({ Properties, Parameters })),
  );
}
