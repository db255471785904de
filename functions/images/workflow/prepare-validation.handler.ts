/** Step Functions task: decides what needs no image, or lists the images to examine. */
import * as z from 'zod';
import { positiveInteger, readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, imagesTable } from '../environment.ts';
import { prepareValidation } from './prepare-validation.ts';
import { ValidationInput } from './states.ts';
import { prepareDeps } from './steps.dynamodb.ts';

export const Env = z.object({ ...imagesTable, ...accountsTable, EXAMINATIONS_PER_APP: positiveInteger });
const env = readEnv(Env);
const tables = { images: boundTable(env.IMAGES_TABLE), accounts: boundTable(env.ACCOUNTS_TABLE) };
const deps = prepareDeps(tables, env.EXAMINATIONS_PER_APP);

export const handler = invocation(async (input: unknown) =>
  prepareValidation(deps, ValidationInput.parse(input), Date.now()),
);
