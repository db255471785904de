/** SQS worker: makes an uploaded object the image that its validation expects. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { log, tenantIn } from '#shared/telemetry/log';
import { imagesTable, picturesBucket } from '../environment.ts';
import { uploadOf } from '../validations/picture-keys.ts';
import { changingValidationsIn } from './changing-validations.dynamodb.ts';
import { pictureStorage, picturesClient, uploadsIn } from './picture-storage.s3.ts';
import { receiveUpload } from './receive-upload.ts';

export const Env = z.object({ ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const client = picturesClient();
const deps = {
  validations: changingValidationsIn(boundTable(env.IMAGES_TABLE)),
  uploads: uploadsIn(env.PICTURES_BUCKET, client),
  storePicture: pictureStorage(env.PICTURES_BUCKET, client),
};

/** EventBridge notification of a stored object. The current version of the object is read, whichever one caused it. */
const ObjectCreated = z.looseObject({ detail: z.looseObject({ object: z.looseObject({ key: z.string() }) }) });

export const handler = queueHandler(
  ObjectCreated,
  async ({ message }) => {
    const { key } = message.detail.object;
    log.info('upload', { key, result: await receiveUpload(deps, key, Date.now()) });
  },
  { logged: ({ detail }) => tenantIn(uploadOf(detail.object.key)) },
);
