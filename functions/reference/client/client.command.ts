/** npm run client: writes the TypeScript clients of the API as a package. */
import { runCommandLine } from '#shared/command/command';
import { GROUPS } from '../documents/groups.ts';
import { writeClientPackage } from './client-package.ts';

const LINE = {
  script: 'client',
  about: `Writes a package with a TypeScript client for each interface, and compiles it. It has no dependencies; publish it,
or install it from the folder: npm install DIR.`,
  options: { out: { value: 'DIR', about: 'the folder of the package', required: true } },
  example: '--out ../five-services-client',
} as const;

await runCommandLine(LINE, async ({ values: { out } }) => {
  await writeClientPackage(out, Object.keys(GROUPS));
  console.log(out);
  return 0;
});
