import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod/mini';
import { callLimits } from '#shared/call-limits';
import { countFault } from '#shared/faults';
import type { TenantKey } from '#shared/ids';
import { log } from '#shared/log';
import { examinationKey, slotOf } from '../validations/picture-keys.ts';
import type { StoredImage } from '../validations/validation.ts';
import { Examined } from './examined.ts';

const LINK_SECONDS = 15 * 60;

/** The pictures of records, and what was found in them. */
export const pictures = (bucket: string, client: S3Client = ownClient()) => ({
  /** A link to the bytes, with their type by content, whatever the client declared. Anyone who has it can use it. */
  link({ key, mimeType }: StoredImage): Promise<string> {
    const object = new GetObjectCommand({ Bucket: bucket, Key: key, ResponseContentType: mimeType });
    return getSignedUrl(client, object, { expiresIn: LINK_SECONDS });
  },

  /** Undefined until the image is examined. What cannot be read is a fault, and keeps nobody from the picture. */
  async examination(validation: TenantKey, { key }: StoredImage): Promise<Examined | undefined> {
    const text = await textOf(bucket, client, examinationKey(validation, slotOf(key)));
    if (text === undefined) return undefined;
    const { data: examined } = z.safeParse(Examined, parsed(text));
    if (examined) return examined;
    log.error('unreadable examination', { validation: validation.id, slot: slotOf(key) });
    countFault();
    return undefined;
  },
});

async function textOf(bucket: string, client: S3Client, key: string): Promise<string | undefined> {
  try {
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return await body?.transformToString();
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whoever opens a link need not support checksums. */
const ownClient = () =>
  new S3Client({
    maxAttempts: 3,
    requestHandler: callLimits(3_000),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
