/** POST /manage/v1/image-validations: a tenant submits images for one of its customers. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, json } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { knownApps } from '#shared/loyalty/app-items.dynamodb';
import { knownCustomers } from '#shared/loyalty/customer-items.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, imagesTable, picturesBucket } from '../environment.ts';
import { pictureLinks } from '../validations/picture-links.s3.ts';
import { submitDeps } from './submit-deps.dynamodb.ts';
import { customerSubmissionOperations } from './submit-for-customer.operations.ts';
import { type CustomerSubmissionDeps, presentSubmitted, submitForCustomer } from './submit-for-customer.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const links = pictureLinks(env.PICTURES_BUCKET);
const accounts = boundTable(env.ACCOUNTS_TABLE);
const deps: CustomerSubmissionDeps = {
  apps: knownApps(accounts),
  customers: knownCustomers(accounts),
  submitting: submitDeps(boundTable(env.IMAGES_TABLE), () => {
    throw new Error('Images of this route are uploaded.');
  }),
};

export const handler = apiRoutes(api, customerSubmissionOperations, {
  createImageValidation: async ({ caller, body, now }) => {
    const validation = await submitForCustomer(deps, { tenant: caller.tenant, body }, now);
    const location = locationOf(`image-validations/${validation.id}`, caller);
    return json(201, await presentSubmitted(links, validation), { location });
  },
});
