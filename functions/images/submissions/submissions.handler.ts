/** POST …/image_validations: a customer submits images. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { callerHandler, describedRoutes, ok } from '#shared/http/http-handler';
import type { AnswerOf } from '#shared/http/operation';
import { textOf } from '#shared/http/request-body';
import { newId } from '#shared/ids';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { customerAwards } from '../campaigns/award-counters.dynamodb.ts';
import { campaignByPermalink } from '../campaigns/campaign-store.dynamodb.ts';
import { imagesTable, picturesBucket } from '../environment.ts';
import { presentValidation } from '../validations/loyalty-view.ts';
import { pictureLinks } from '../validations/picture-links.s3.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { pictureStorage } from './picture-storage.s3.ts';
import { readIdempotencyKey } from './requests/idempotency-key.ts';
import { CALL_BYTES_MAX, readSubmission } from './requests/submission-request.ts';
import { commitSubmission, earlierRequest, submissionsOn } from './submission-items.dynamodb.ts';
import { submissionOperations } from './submissions.operations.ts';
import { type SubmitDeps, submit } from './submit.ts';

export const Env = z.object({ ...loyaltyEnv, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const surface = loyaltySurface(env, keySecrets(env.KEY_SECRETS));
const validationIds = tableIds(table);
const links = pictureLinks(env.PICTURES_BUCKET);
const deps: SubmitDeps = {
  campaign: (tenant, permalink) => campaignByPermalink(table, tenant, permalink),
  awardsOf: (campaign, customer) => customerAwards(table, campaign, customer),
  submissionsOn: (day) => submissionsOn(table, day),
  storePicture: pictureStorage(env.PICTURES_BUCKET),
  earlierRequest: (mark) => earlierRequest(table, mark),
  validation: (key) => validationById(table, key),
  commit: (validation, day, callMark) => commitSubmission(table, validation, day, callMark),
  newId: async (tenant) => String(await validationIds.next(`${tenant}#validation`)),
  newImageName: () => newId('img'),
};

const create = callerHandler(
  surface,
  async (event, { caller, now }): Promise<AnswerOf<(typeof submissionOperations)['submitImages']>> => {
    const submission = { request: readSubmission(textOf(event)), idempotencyKey: readIdempotencyKey(event.headers) };
    const validation = await submit(deps, caller, submission, now);
    return ok({ status: 'ok', image_validation: await presentValidation(links, validation) });
  },
  { bodyBytesMax: CALL_BYTES_MAX },
);

export const handler = describedRoutes(submissionOperations, {
  submitImages: create,
  submitImagesOfCustomer: create,
  submitImagesOfExternalCustomer: create,
  submitImagesOfAnonymousCustomer: create,
});
