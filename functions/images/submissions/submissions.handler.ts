/** POST …/image_validations: a customer submits images. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { callerHandler, describedRoutes, ok } from '#shared/http/http-handler';
import type { AnswerOf } from '#shared/http/operation';
import { textOf } from '#shared/http/request-body';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { presentValidation } from '../validations/loyalty-view.ts';
import { pictureLinks } from '../validations/picture-links.s3.ts';
import { pictureStorage } from './picture-storage.s3.ts';
import { readIdempotencyKey } from './requests/idempotency-key.ts';
import { CALL_BYTES_MAX, readSubmission } from './requests/submission-request.ts';
import { submissionOperations } from './submissions.operations.ts';
import { submit } from './submit.ts';
import { submitDeps } from './submit-deps.dynamodb.ts';

export const Env = z.object({ ...loyaltyEnv, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const surface = loyaltySurface(env, keySecrets(env.KEY_SECRETS));
const links = pictureLinks(env.PICTURES_BUCKET);
const deps = submitDeps(boundTable(env.IMAGES_TABLE), pictureStorage(env.PICTURES_BUCKET));

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
