/** GET …/image_validations: the validations of a customer, newest first. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { callerHandler, describedRoutes } from '#shared/http/http-handler';
import type { AnswerOf } from '#shared/http/operation';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { pictureLinks } from '../validations/picture-links.s3.ts';
import { customerValidations } from './customer-validations.dynamodb.ts';
import { listAnswer } from './list-answer.ts';
import { validationListOperations } from './list-validations.operations.ts';
import { readListRequest } from './requests/list-request.ts';
import { submitter } from './submit.ts';

export const Env = z.object({ ...loyaltyEnv, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const surface = loyaltySurface(env, keySecrets(env.KEY_SECRETS));
const links = pictureLinks(env.PICTURES_BUCKET);

const list = callerHandler(
  surface,
  async (event, { caller }): Promise<AnswerOf<(typeof validationListOperations)['listValidations']>> => {
    const { id } = submitter(caller);
    const request = readListRequest(event.rawQueryString);
    return listAnswer(links, await customerValidations(table, { tenant: caller.app.tenant, id }, request));
  },
);

export const handler = describedRoutes(validationListOperations, {
  listValidations: list,
  listValidationsOfCustomer: list,
  listValidationsOfExternalCustomer: list,
  listValidationsOfAnonymousCustomer: list,
});
