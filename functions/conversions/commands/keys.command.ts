/** npm run keys: creates a conversion key and prints it. */
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { Refusal } from '#shared/errors';
import { createCredential } from '../billing/credentials/credential.ts';
import { credentialsOf } from './credentials-of.dynamodb.ts';

const LINE = {
  script: 'keys',
  about: 'Makes a conversion key and prints it. It cannot be shown again.',
  options: {
    tenant: { value: 'NAME', about: 'the tenant of the key', required: true },
    mode: { value: 'MODE', about: 'what its requests count against', choices: ['test', 'live'], default: 'test' },
    stage: STAGE_OPTION,
  },
  example: '--tenant demo --mode live',
} as const;

function inPlainWords(error: unknown): never {
  throw error instanceof Refusal ? new Error(error.detail) : error;
}

await runCommandLine(LINE, async ({ values }) => {
  const { tenant, mode } = values;
  const now = Date.now();
  const { credentials, secrets } = await credentialsOf(await findDeployment(values.stage), tenant, now).catch(
    inPlainWords,
  );
  const { secret } = await createCredential(credentials, { tenant, kind: 'key', mode }, { secrets, now });
  console.log(secret);
  return 0;
});
