/** Step Functions task: decides a validation and makes its award. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, imagesTable } from '../environment.ts';
import { applyVerdict } from './apply-verdict.ts';
import { ApplyInput } from './states.ts';
import { applyDeps } from './steps.dynamodb.ts';

export const Env = z.object({ ...imagesTable, ...accountsTable });
const env = readEnv(Env);
const deps = applyDeps({ images: boundTable(env.IMAGES_TABLE), accounts: boundTable(env.ACCOUNTS_TABLE) });

export const handler = invocation(async (input: unknown) => {
  const { cause, ...key } = ApplyInput.parse(input);
  await applyVerdict(deps, key, cause, Date.now());
});
