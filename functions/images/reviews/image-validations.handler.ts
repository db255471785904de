/** Records of the tenant: the queue of those that a person must look at, that person's claim, and the verdict. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, ok } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { livingClaim } from '../validations/review.ts';
import {
  claimReview,
  decideReview,
  releaseReview,
  reviewById,
  reviewsOf,
} from '../validations/review-items.dynamodb.ts';
import { awaitsReview } from '../validations/validation.ts';
import { countValidations, listValidations, validationById } from '../validations/validation-items.dynamodb.ts';
import { type Claims, claimRecord, releaseRecord } from './claim.ts';
import { decideOn, type Reviews, validationByKey } from './decide.ts';
import { pictures } from './pictures.s3.ts';
import { presentClaim, presentDecision, presentForReview, presentValidation } from './present-validation.ts';
import { COUNTED_MAX, ListQuery, presentCount, ReviewRequest } from './review-request.ts';

export const Env = z.object({ ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const stored = pictures(env.PICTURES_BUCKET);
const reviews: Reviews = {
  validation: (key) => validationById(table, key),
  review: (key) => reviewById(table, key),
  decide: (validation, decision) => decideReview(table, validation, decision),
};
const claims: Claims = {
  validation: (key) => validationByKey(reviews, key),
  claim: (key, claimed) => claimReview(table, key, claimed),
  release: (key, by) => releaseReview(table, key, by),
};
const one = { path: ItemPath };

const list = httpHandler(tenantApi, { query: ListQuery }, async ({ caller: { tenant }, query, now }) => {
  const { filter, page, oldestFirst, isCounted } = query;
  const [{ items, ...rest }, counted] = await Promise.all([
    listValidations(table, { tenant, page, oldestFirst, ...filter }),
    isCounted ? countValidations(table, { tenant, most: COUNTED_MAX + 1, ...filter }) : undefined,
  ]);
  const opened = await reviewsOf(table, items.filter(awaitsReview));
  const shown = items.map((one) => presentValidation(one, livingClaim(opened.get(one.id), now)));
  return ok({ items: shown, ...rest, ...(counted !== undefined && { count: presentCount(counted) }) });
});

/** Its links are as good as the pictures: the answer is not to be kept anywhere. */
const get = httpHandler(tenantApi, one, async ({ caller, path, now }) => {
  const key = { tenant: caller.tenant, id: path.id };
  const validation = await validationByKey(reviews, key);
  const [review, images] = await Promise.all([
    reviews.review(key),
    Promise.all(validation.images.map((image) => stored.shown(key, image))),
  ]);
  const claim = awaitsReview(validation) ? livingClaim(review, now) : undefined;
  const body = presentForReview({ validation, decision: review?.decision, claim, images });
  return ok(body, { 'cache-control': 'no-store' });
});

/** 202: the record follows the decision within moments. */
const review = httpHandler(tenantApi, { ...one, body: ReviewRequest }, async ({ caller, path, body, now }) => {
  const reviewer = { tenant: caller.tenant, id: path.id, by: caller.subject, now };
  const { validation, decision } = await decideOn(reviews, body, reviewer);
  return json(202, { ...presentValidation(validation), decision: presentDecision(decision, validation) });
});

const claim = httpHandler(tenantApi, one, async ({ caller, path, now }) => {
  const claimant = { tenant: caller.tenant, id: path.id, by: caller.subject, byName: caller.name, now };
  return ok({ claim: presentClaim(await claimRecord(claims, claimant)) });
});

const release = httpHandler(tenantApi, one, async ({ caller, path }) => {
  await releaseRecord(claims, { tenant: caller.tenant, id: path.id, by: caller.subject });
  return noContent();
});

export const handler = httpRoutes({
  'GET /manage/v1/image-validations': list,
  'GET /manage/v1/image-validations/{id}': get,
  'POST /manage/v1/image-validations/{id}/review': review,
  'POST /manage/v1/image-validations/{id}/claim': claim,
  'DELETE /manage/v1/image-validations/{id}/claim': release,
});
