/** Records of the tenant: the queue of those that a person must look at, and the verdict of that person. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, tenantApi } from '#shared/http/management-api';
import type { TenantKey } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { decideReview, reviewById } from '../validations/review-items.dynamodb.ts';
import { isStored, type SubmittedImage } from '../validations/validation.ts';
import { lists, listValidations, validationById } from '../validations/validation-items.dynamodb.ts';
import { decideOn, type Reviews, validationByKey } from './decide.ts';
import { pictures } from './pictures.s3.ts';
import { presentDecision, presentForReview, presentValidation, type ShownImage } from './present-validation.ts';
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

const list = httpHandler(tenantApi, { query: ListQuery }, async ({ caller, query }) =>
  okPage(await listValidations(table, listIn(caller.tenant, query), query), presentValidation),
);

function listIn(tenant: string, { status, needsReview, customer }: ListQuery) {
  if (customer !== undefined) return { kind: 'ofCustomer', name: lists.ofCustomer(tenant, customer) } as const;
  if (needsReview !== undefined) return { kind: 'toReview', name: lists.toReview(tenant) } as const;
  if (status !== undefined) return { kind: 'withStatus', name: lists.withStatus(tenant, status) } as const;
  return { kind: 'ofTenant', name: lists.ofTenant(tenant) } as const;
}

/** Its links are as good as the pictures: the answer is not to be kept anywhere. */
const get = httpHandler(tenantApi, one, async ({ caller, path }) => {
  const key = { tenant: caller.tenant, id: path.id };
  const validation = await validationByKey(reviews, key);
  const [review, images] = await Promise.all([
    reviews.review(key),
    Promise.all(validation.images.map((image) => shown(key, image))),
  ]);
  const body = presentForReview({ validation, decision: review?.decision, images });
  return ok(body, { 'cache-control': 'no-store' });
});

async function shown(validation: TenantKey, image: SubmittedImage): Promise<ShownImage> {
  if (!isStored(image)) return { image };
  const [url, examined] = await Promise.all([stored.link(image), stored.examination(validation, image)]);
  return { image, url, examined };
}

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
