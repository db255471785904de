/** Validations of the tenant: the review queue, a reviewer's claim, and the review itself. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, json, noContent, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { claimValidation, releaseValidation } from './claim.ts';
import { countedDays, firstDay } from './days.ts';
import { decideOn, reviewFaults, validationByKey } from './decide.ts';
import { imageValidationOperations } from './image-validations.operations.ts';
import { presentClaim, presentForReview, presentList, presentReviewed } from './management-view.ts';
import { reviewImages } from './review-images.s3.ts';
import { claimsIn, createdSince, listedValidations, reviewsIn } from './reviews.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const [table, pictures] = [boundTable(env.IMAGES_TABLE), reviewImages(env.PICTURES_BUCKET)];
const [reviews, claims] = [reviewsIn(table), claimsIn(table)];

export const handler = apiRoutes(api, imageValidationOperations, {
  listImageValidations: async ({ caller: { tenant }, query, now }) =>
    ok(presentList(await listedValidations(table, tenant, { ...query, now }))),
  countImageValidations: async ({ caller: { tenant }, path, now }) => {
    const campaign = { tenant, permalink: path.permalink };
    return ok({ days: countedDays(await createdSince(table, campaign, firstDay(now)), now) });
  },
  getImageValidation: async ({ caller, path, now }) => {
    const key = { tenant: caller.tenant, id: path.id };
    const validation = await validationByKey(reviews, key);
    const [review, images] = await Promise.all([
      reviews.review(key),
      Promise.all(validation.images.map((image) => pictures.view(key, image))),
    ]);
    return ok(presentForReview({ validation, review, images, now }));
  },
  reviewImageValidation: {
    more: reviewFaults(reviews),
    answer: async ({ caller, path, body, now }) => {
      const reviewer = { tenant: caller.tenant, id: path.id, by: caller.subject, now };
      return json(202, presentReviewed(await decideOn(reviews, body, reviewer)));
    },
  },
  claimImageValidation: async ({ caller, path, now }) => {
    const claimant = { tenant: caller.tenant, id: path.id, by: caller.subject, byName: caller.name, now };
    return ok({ claim: presentClaim(await claimValidation(claims, claimant)) });
  },
  releaseImageValidation: async ({ caller, path }) => {
    await releaseValidation(claims, { tenant: caller.tenant, id: path.id, by: caller.subject });
    return noContent();
  },
});
