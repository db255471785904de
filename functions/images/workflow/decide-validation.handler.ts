/** Step Functions task: judges a validation by its examined images. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, imagesTable, picturesBucket } from '../environment.ts';
import { examinationStore } from '../examining/examinations.s3.ts';
import { decideValidation } from './decide-validation.ts';
import { DecideInput } from './states.ts';
import { decideDeps } from './steps.dynamodb.ts';

export const Env = z.object({ ...imagesTable, ...accountsTable, ...picturesBucket });
const env = readEnv(Env);
const tables = { images: boundTable(env.IMAGES_TABLE), accounts: boundTable(env.ACCOUNTS_TABLE) };
const { examination } = examinationStore(env.PICTURES_BUCKET);
const deps = decideDeps(tables, examination);

export const handler = invocation(async (input: unknown) => {
  const { images, ...key } = DecideInput.parse(input);
  return decideValidation(deps, key, images, Date.now());
});
