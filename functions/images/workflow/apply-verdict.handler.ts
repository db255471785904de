/** Step Functions: decides a record once and for all, and makes its award. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table.dynamodb';
import { campaignByPermalink } from '../campaigns/campaign-store.dynamodb.ts';
import { accountsTable, imagesTable } from '../environment.ts';
import { reviewById } from '../validations/review-items.dynamodb.ts';
import { changeValidation, validationById } from '../validations/validation-items.dynamodb.ts';
import { type ApplyDeps, applyVerdict } from './apply-verdict.ts';
import { makeAward } from './awards.dynamodb.ts';
import { reviewedVerdict } from './reviewed-verdict.ts';
import { ApplyInput } from './states.ts';

export const Env = z.object({ ...imagesTable, ...accountsTable });
const env = readEnv(Env);
const images = boundTable(env.IMAGES_TABLE);
const deps: ApplyDeps = {
  validation: (key) => validationById(images, key),
  reviewed: async (validation) => reviewedVerdict(validation, (await reviewById(images, validation))?.decision),
  campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
  change: (after, before) => changeValidation(images, after, before),
  award: (award) => makeAward({ images, accounts: env.ACCOUNTS_TABLE }, award),
};

export const handler = invocation(async (input: unknown) => {
  const { cause, ...key } = ApplyInput.parse(input);
  await applyVerdict(deps, key, cause, Date.now());
});
