/** npm run keys -- --tenant NAME [--mode test|live] [--stage NAME]: makes a conversion key and prints it. */
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { Refusal } from '#shared/errors';
import { createCredential, NewConversionKey } from '../credentials/credential.ts';
import { credentialsOf } from './credentials-of.dynamodb.ts';

const USAGE = 'Usage: npm run keys -- --tenant NAME [--mode test|live] [--stage NAME]';

function inPlainWords(error: unknown): never {
  throw error instanceof Refusal ? new Error(error.detail) : error;
}

await runCommand(async () => {
  const { values } = parseArgs({
    options: { tenant: { type: 'string' }, mode: { type: 'string', default: 'test' }, stage: { type: 'string' } },
  });
  const { tenant } = values;
  const stated = NewConversionKey.safeParse({ mode: values.mode });
  if (tenant === undefined || !stated.success) throw new Error(USAGE);
  const now = Date.now();
  const { credentials, secrets } = await credentialsOf(await findDeployment(values.stage), tenant, now).catch(
    inPlainWords,
  );
  const { mode } = stated.data;
  const { secret } = await createCredential(credentials, { tenant, kind: 'key', mode }, { secrets, now });
  console.log(secret);
  return 0;
});
