/** Step Functions: what can be decided before any image is opened. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table.dynamodb';
import { lookAlikesOf, pointTo } from '../duplicates/look-alikes.dynamodb.ts';
import { accountsTable, imagesTable } from '../environment.ts';
import { slotOf } from '../validations/picture-keys.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { tableCases } from './cases.dynamodb.ts';
import { type PrepareDeps, prepareValidation } from './prepare-validation.ts';
import { RecordInput } from './states.ts';

export const Env = z.object({ ...imagesTable, ...accountsTable });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const deps: PrepareDeps = {
  validation: (key) => validationById(table, key),
  caseOf: tableCases(table, boundTable(env.ACCOUNTS_TABLE)),
  pointTo: (key, { key: object, sha256 }) =>
    pointTo(table, key, { slot: slotOf(object), seen: { sha256 }, now: Date.now() }),
  lookAlikes: (key, sha256) => lookAlikesOf(table, key, { sha256 }),
};

export const handler = invocation(async (input: unknown) => prepareValidation(deps, RecordInput.parse(input)));
