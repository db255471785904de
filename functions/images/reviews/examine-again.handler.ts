/** POST /manage/v1/image-validations/{id}/examination: reads the images of a validation again. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, json } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { executions } from '../executions/executions.sfn.ts';
import { reexaminationOperations } from './examine-again.operations.ts';
import { type ExamineAgainDeps, examineAgain } from './examine-again.ts';
import { reviewImages } from './review-images.s3.ts';
import { reviewsIn } from './reviews.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...imagesTable, ...picturesBucket, STATE_MACHINE: resource });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const pictures = reviewImages(env.PICTURES_BUCKET);
const deps: ExamineAgainDeps = {
  reviews: reviewsIn(boundTable(env.IMAGES_TABLE)),
  view: (validation, image) => pictures.view(validation, image),
  machine: executions(env.STATE_MACHINE),
};

export const handler = apiRoutes(api, reexaminationOperations, {
  examineImageValidation: async ({ caller, path, now }) => {
    const key = { tenant: caller.tenant, id: path.id };
    const { id, revision } = await examineAgain(deps, key, { by: caller.subject, now });
    return json(202, { id: Number(id), revision });
  },
});
