import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { erasingClient, keysBelow, removeObjects } from '#shared/erasures/erased-objects.s3';
import { examinedImageOf, imageNameOf, validationFolders } from '../validations/picture-keys.ts';
import { storedText } from '../validations/stored-text.s3.ts';
import type { Mark, ValidationErasureDeps } from './erase-validation.ts';

type ObjectDeps = Pick<ValidationErasureDeps, 'storedMarks' | 'removeObjects'>;

/** The objects of a validation. The bucket keeps no versions: a deleted object is gone. */
export function erasedObjectsIn(bucket: string, client: S3Client = erasingClient()): ObjectDeps {
  const from = { bucket, client };

  async function markIn(key: string): Promise<Mark> {
    const slot = examinedImageOf(key);
    // Pictures are named by the hash of their bytes.
    if (slot === undefined) return { slot: imageNameOf(key), sha256: imageNameOf(key) };
    return { slot, perceptualHash: perceptualHashIn(await storedText(client, { bucket, key })) };
  }

  return {
    async storedMarks(record) {
      const marks: Mark[] = [];
      for (const folder of validationFolders(record)) {
        for await (const keys of keysBelow(from, folder)) {
          for (const key of keys) marks.push(await markIn(key));
        }
      }
      return marks;
    },

    async removeObjects(record) {
      for (const folder of validationFolders(record)) await removeObjects(from, folder);
    },
  };
}

const Examined = z.object({ perceptualHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

/** The perceptual hash in a stored examination; undefined if it cannot be parsed, and then no pointer was stored for it. */
function perceptualHashIn(text: string | undefined): string | undefined {
  try {
    return z.safeParse(Examined, JSON.parse(text ?? '')).data?.perceptualHash;
  } catch {
    return undefined;
  }
}
