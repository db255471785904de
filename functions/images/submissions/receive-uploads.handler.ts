/** SQS worker: makes an uploaded object the image that its record expects. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { log } from '#shared/log';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table.dynamodb';
import { imagesTable, picturesBucket } from '../environment.ts';
import { pictureStorage, picturesClient, uploadsIn } from './pictures.s3.ts';
import { receiveUpload } from './receive-upload.ts';
import { recordsIn } from './records.dynamodb.ts';

export const Env = z.object({ ...imagesTable, ...picturesBucket });
const env = readEnv(Env);
const client = picturesClient();
const deps = {
  records: recordsIn(boundTable(env.IMAGES_TABLE)),
  uploads: uploadsIn(env.PICTURES_BUCKET, client),
  storePicture: pictureStorage(env.PICTURES_BUCKET, client),
};

/** EventBridge: an object was put into the bucket. Which version of it is read now. */
const ObjectCreated = z.looseObject({ detail: z.looseObject({ object: z.looseObject({ key: z.string() }) }) });

export const handler = queueHandler(ObjectCreated, async ({ message }) => {
  const { key } = message.detail.object;
  log.info('upload', { key, received: await receiveUpload(deps, key, Date.now()) });
});
