/** POST …/image_validations/{image_validation_id}/images: a customer adds an image to a validation. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { callerHandler, describedRoutes, ok } from '#shared/http/http-handler';
import type { AnswerOf } from '#shared/http/operation';
import { textOf } from '#shared/http/request-body';
import { newId } from '#shared/ids';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { presentValidation } from '../validations/loyalty-view.ts';
import { pictureLinks } from '../validations/picture-links.s3.ts';
import { type AdditionDeps, addImage } from './add-image.ts';
import { imageAdditionOperations } from './add-images.operations.ts';
import { changingValidationsIn } from './changing-validations.dynamodb.ts';
import { pictureStorage } from './picture-storage.s3.ts';
import { readBinaryImage } from './requests/binary-image.ts';
import { CALL_BYTES_MAX, readAddition } from './requests/submission-request.ts';

export const Env = z.object({ ...loyaltyEnv, ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const surface = loyaltySurface(env, keySecrets(env.KEY_SECRETS));
const links = pictureLinks(env.PICTURES_BUCKET);
const deps: AdditionDeps = {
  validations: changingValidationsIn(boundTable(env.IMAGES_TABLE)),
  storePicture: pictureStorage(env.PICTURES_BUCKET),
  newImageName: () => newId('img'),
};

const add = callerHandler(
  surface,
  async (event, { caller, now }): Promise<AnswerOf<(typeof imageAdditionOperations)['addImage']>> => {
    const validationId = event.pathParameters?.['image_validation_id'] ?? '';
    const request = (await readBinaryImage(event)) ?? readAddition(textOf(event));
    const validation = await addImage(deps, caller, { validationId, request }, now);
    return ok({ status: 'ok', image_validation: await presentValidation(links, validation) });
  },
  { bodyBytesMax: CALL_BYTES_MAX },
);

export const handler = describedRoutes(imageAdditionOperations, {
  addImage: add,
  addImageOfCustomer: add,
  addImageOfExternalCustomer: add,
  addImageOfAnonymousCustomer: add,
});
