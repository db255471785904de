/** Records of the tenant: the queue of those that a person must look at, and the verdict of that person. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { decideReview, reviewById } from '../validations/review-items.dynamodb.ts';
import { listValidations, validationById } from '../validations/validation-items.dynamodb.ts';
import { decideOn, type Reviews, validationByKey } from './decide.ts';
import { pictures } from './pictures.s3.ts';
import { presentDecision, presentForReview, presentValidation } from './present-validation.ts';
import { ListQuery, ReviewRequest } from './review-request.ts';

export const Env = z.object({ ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const stored = pictures(env.PICTURES_BUCKET);
const reviews: Reviews = {
  validation: (key) => validationById(table, key),
  review: (key) => reviewById(table, key),
  decide: (validation, decision) => decideReview(table, validation, decision),
};
const one = { path: ItemPath };

const list = httpHandler(tenantApi, { query: ListQuery }, async ({ caller: { tenant }, query: { filter, page } }) =>
  okPage(await listValidations(table, { tenant, page, ...filter }), presentValidation),
);

/** Its links are as good as the pictures: the answer is not to be kept anywhere. */
const get = httpHandler(tenantApi, one, async ({ caller, path }) => {
  const key = { tenant: caller.tenant, id: path.id };
  const validation = await validationByKey(reviews, key);
  const [review, images] = await Promise.all([
    reviews.review(key),
    Promise.all(validation.images.map((image) => stored.shown(key, image))),
  ]);
  const body = presentForReview({ validation, decision: review?.decision, images });
  return ok(body, { 'cache-control': 'no-store' });
});

/** 202: the record follows the decision within moments. */
const review = httpHandler(tenantApi, { ...one, body: ReviewRequest }, async ({ caller, path, body, now }) => {
  const reviewer = { tenant: caller.tenant, id: path.id, by: caller.subject, now };
  const { validation, decision } = await decideOn(reviews, body, reviewer);
  return json(202, { ...presentValidation(validation), decision: presentDecision(decision, validation) });
});

export const handler = httpRoutes({
  'GET /manage/v1/image-validations': list,
  'GET /manage/v1/image-validations/{id}': get,
  'POST /manage/v1/image-validations/{id}/review': review,
});
