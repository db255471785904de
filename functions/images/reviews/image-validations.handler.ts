/** Validations of the tenant: the review queue, a reviewer's claim, and the review itself. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, ok } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { claimValidation, releaseValidation } from './claim.ts';
import { decideOn, reviewInput, validationByKey } from './decide.ts';
import { presentClaim, presentForReview, presentList, presentReviewed } from './management-view.ts';
import { reviewImages } from './review-images.s3.ts';
import { ListQuery } from './review-request.ts';
import { claimsIn, listedValidations, reviewsIn } from './reviews.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const [table, pictures] = [boundTable(env.IMAGES_TABLE), reviewImages(env.PICTURES_BUCKET)];
const [reviews, claims] = [reviewsIn(table), claimsIn(table)];
const item = { path: ItemPath };

const list = httpHandler(api, { query: ListQuery }, async ({ caller: { tenant }, query, now }) =>
  ok(presentList(await listedValidations(table, tenant, { ...query, now }))),
);

/** The answer must not be cached: anyone with its links can open the pictures. */
const get = httpHandler(api, item, async ({ caller, path, now }) => {
  const key = { tenant: caller.tenant, id: path.id };
  const validation = await validationByKey(reviews, key);
  const [review, images] = await Promise.all([
    reviews.review(key),
    Promise.all(validation.images.map((image) => pictures.view(key, image))),
  ]);
  return ok(presentForReview({ validation, review, images, now }));
});

/** Answers 202, because the validation changes a moment after the decision is stored. */
const review = httpHandler(api, { ...item, ...reviewInput(reviews) }, async ({ caller, path, body, now }) => {
  const reviewer = { tenant: caller.tenant, id: path.id, by: caller.subject, now };
  return json(202, presentReviewed(await decideOn(reviews, body, reviewer)));
});

const claim = httpHandler(api, item, async ({ caller, path, now }) => {
  const claimant = { tenant: caller.tenant, id: path.id, by: caller.subject, byName: caller.name, now };
  return ok({ claim: presentClaim(await claimValidation(claims, claimant)) });
});

const release = httpHandler(api, item, async ({ caller, path }) => {
  await releaseValidation(claims, { tenant: caller.tenant, id: path.id, by: caller.subject });
  return noContent();
});

export const handler = httpRoutes({
  'GET /manage/v1/image-validations': list,
  'GET /manage/v1/image-validations/{id}': get,
  'POST /manage/v1/image-validations/{id}/review': review,
  'POST /manage/v1/image-validations/{id}/claim': claim,
  'DELETE /manage/v1/image-validations/{id}/claim': release,
});
