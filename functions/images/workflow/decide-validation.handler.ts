/** Step Functions: what the examined images say of a record. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table.dynamodb';
import { lookAlikesOf, pointTo } from '../duplicates/look-alikes.dynamodb.ts';
import { ownerOf } from '../duplicates/prints.dynamodb.ts';
import { accountsTable, imagesTable, picturesBucket } from '../environment.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { tableCases } from './cases.dynamodb.ts';
import { type DecideDeps, decideValidation } from './decide-validation.ts';
import { pictures } from './pictures.s3.ts';
import { DecideInput } from './states.ts';

export const Env = z.object({ ...imagesTable, ...accountsTable, ...picturesBucket });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const deps: DecideDeps = {
  validation: (key) => validationById(table, key),
  caseOf: tableCases(table, boundTable(env.ACCOUNTS_TABLE)),
  examination: pictures(env.PICTURES_BUCKET).examination,
  pointTo: (key, slot, seen) => pointTo(table, key, { slot, seen, now: Date.now() }),
  lookAlikes: (key, seen) => lookAlikesOf(table, key, seen),
  ownerOf: (tenant, digest) => ownerOf(table, tenant, { kind: 'content', digest }),
};

export const handler = invocation(async (input: unknown) => {
  const { images, ...key } = DecideInput.parse(input);
  return decideValidation(deps, key, images);
});
