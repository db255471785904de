/** npm run keys: creates a conversion key and prints it; shows, adds and takes out versions of the secrets of keys. */
import { runCommandLine } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { Refusal } from '#shared/errors';
import { KEYS_LINE, runKeys } from './run-keys.dynamodb.ts';

function inPlainWords(error: unknown): never {
  throw error instanceof Refusal ? new Error(error.detail) : error;
}

await runCommandLine(KEYS_LINE, async ({ values }) => {
  const deployment = await findDeployment(values.stage);
  for (const line of await runKeys({ values }, deployment, Date.now()).catch(inPlainWords)) console.log(line);
  return 0;
});
