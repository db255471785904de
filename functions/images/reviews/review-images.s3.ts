import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod/mini';
import { jsonIn } from '#shared/formats/json-text';
import type { TenantKey } from '#shared/ids';
import { callLimits } from '#shared/quotas/call-limits';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { examinationKey, imageNameOf } from '../validations/picture-keys.ts';
import { linkingClient } from '../validations/picture-links.s3.ts';
import { storedText } from '../validations/stored-text.s3.ts';
import { isStored, type StoredImage, type SubmittedImage } from '../validations/validation.ts';
import { ExaminationView } from './examination-view.ts';
import type { ImageView } from './management-view.ts';

const LINK_SECONDS = 15 * 60;

/** Reads links and examinations of pictures for reviewers. */
export const reviewImages = (bucket: string, client: S3Client = ownClient()) => ({
  async view(validation: TenantKey, image: SubmittedImage): Promise<ImageView> {
    if (!isStored(image)) return { image };
    const [url, examination] = await Promise.all([
      linkTo(bucket, client, image),
      examinationOf(bucket, client, examinationKey(validation, imageNameOf(image.key))),
    ]);
    return { image, url, examination };
  },
});

/** A link to the picture, served with the type that its content shows. Anyone who has the link can use it. */
function linkTo(bucket: string, client: S3Client, { key, mimeType }: StoredImage): Promise<string> {
  const object = new GetObjectCommand({ Bucket: bucket, Key: key, ResponseContentType: mimeType });
  return getSignedUrl(client, object, { expiresIn: LINK_SECONDS });
}

/** Undefined until the image is examined. An unreadable examination counts as a fault and does not hide the picture. */
async function examinationOf(bucket: string, client: S3Client, key: string): Promise<ExaminationView | undefined> {
  const text = await storedText(client, { bucket, key });
  if (text === undefined) return undefined;
  const { data: examination } = z.safeParse(ExaminationView, jsonIn(text));
  if (examination) return examination;
  log.error('unreadable examination', { key });
  countFault();
  return undefined;
}

const ownClient = () => linkingClient({ maxAttempts: 3, requestHandler: callLimits(3_000) });
