import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  NoSuchUpload,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type UploadPartCommandInput,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { newObjectId } from '#shared/ids';
import { mapKey } from '../import-files.s3.ts';
import { type MapFields, readMap } from '../rows/parse-import-map.ts';
import { partsOf } from './upload-limits.ts';
import type { ImportMap, NewUpload, StartedUpload } from './upload-schemas.ts';

/** A large file takes hours on a slow line. On AWS the credentials that sign the links may expire earlier. */
const LINK_SECONDS = 6 * 3_600;

interface UploadTarget {
  /** The first folder of the keys, which decides what is imported for whom. */
  readonly folder: string;
  readonly fields: MapFields;
}

type Upload = Pick<UploadPartCommandInput, 'Bucket' | 'Key' | 'UploadId'>;

/**
 * Uploads of import files by presigned links. The object exists, and its import starts, only when the upload is
 * completed; S3 drops what is not completed within a day.
 */
export const importUploads = (bucket: string, client: S3Client = linkingClient()) => ({
  async begin({ folder }: Pick<UploadTarget, 'folder'>, { name, bytes }: NewUpload, now: number) {
    const key = `${folder}/${isoTime(now).slice(0, 10)}/${newObjectId(now)}/${name}`;
    const { UploadId: uploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }));
    if (uploadId === undefined) throw new Error(`The upload of ${key} has no id.`);
    const { partBytes, parts } = partsOf(bytes);
    const upload = { Bucket: bucket, Key: key, UploadId: uploadId };
    const links = Array.from({ length: parts }, async (_, index) => {
      const length = Math.min(partBytes, bytes - index * partBytes);
      return { part: index + 1, url: await partLink(client, upload, index + 1, length) };
    });
    const expiresAt = isoTime(now + LINK_SECONDS * 1_000);
    return {
      key,
      uploadId,
      partBytes,
      links: await Promise.all(links),
      expiresAt,
    };
  },

  /** Completes an upload with all its parts. The map is stored first, because the import starts with the object. */
  async complete({ folder, fields }: UploadTarget, { key, uploadId, bytes, map }: StartedUpload): Promise<void> {
    if (!isUploadKey(key, folder)) throw goneUpload();
    const mapText = map && checkedMap(map, fields);
    const upload = { Bucket: bucket, Key: key, UploadId: uploadId };
    try {
      const { Parts: parts = [] } = await client.send(new ListPartsCommand(upload));
      const arrived = parts.reduce((sum, { Size: size = 0 }) => sum + size, 0);
      if (arrived !== bytes) throw incompleteUpload(arrived, bytes);
      if (mapText !== undefined) {
        await client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: mapKey(key),
            Body: mapText,
          }),
        );
      }
      const named = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
      await client.send(
        new CompleteMultipartUploadCommand({
          ...upload,
          MultipartUpload: { Parts: named },
        }),
      );
    } catch (error) {
      if (error instanceof NoSuchUpload) throw goneUpload({ cause: error });
      throw error;
    }
  },
});

/** A link that takes one part. Its length is signed, so S3 refuses a part of another size. */
function partLink(client: S3Client, upload: Upload, part: number, length: number): Promise<string> {
  const command = new UploadPartCommand({ ...upload, PartNumber: part, ContentLength: length });
  return getSignedUrl(client, command, { expiresIn: LINK_SECONDS });
}

/** True for keys that `begin` makes below this folder. */
const isUploadKey = (key: string, folder: string): boolean =>
  key.startsWith(`${folder}/`) && /^\d{4}-\d\d-\d\d\/[\w-]+\/[^/]+$/.test(key.slice(folder.length + 1));

function checkedMap(map: ImportMap, fields: MapFields): string {
  const text = JSON.stringify(map);
  const read = readMap(text, fields);
  if (!read.ok) throw faultOf('map', read.message);
  return text;
}

const goneUpload = (options?: ErrorOptions) =>
  new Refusal(
    409,
    'upload-gone',
    'There is no such upload. If it was completed before, an import of this key exists; otherwise it is older than a day.',
    options,
  );

const incompleteUpload = (arrived: number, bytes: number) =>
  new Refusal(409, 'upload-incomplete', `${arrived} of ${bytes} bytes have arrived. Send the missing parts again.`);

/** A browser that puts a part computes no checksum. */
const linkingClient = () => new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
