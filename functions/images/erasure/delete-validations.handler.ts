/** DELETE /manage/v1/image-validations/{id}: erases one record with its pictures. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { noSuch } from '#shared/errors';
import { apiRoutes, noContent } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { validationErasureOperations } from './delete-validations.operations.ts';
import { eraseValidation } from './erase-validation.ts';
import { validationErasure } from './validation-erasure.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const deps = validationErasure(boundTable(env.IMAGES_TABLE), env.PICTURES_BUCKET, () => Date.now());

/** A call that dies half-way is finished within the hour; to the client that repeats it, the record may be unknown. */
export const handler = apiRoutes(api, validationErasureOperations, {
  deleteImageValidation: async ({ caller, path }) => {
    const key = { tenant: caller.tenant, id: path.id };
    if (!(await deps.validation(key))) noSuch('image validation');
    await eraseValidation(deps, { ...key, marks: [] });
    return noContent();
  },
});
