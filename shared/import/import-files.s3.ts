import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { type GzipMember, inflatedMembers } from './gzip-members.ts';
import { inflated, isGzip, without } from './import-bytes.ts';
import type { ImportedObject } from './import-job.ts';
import { type DividedImport, type ImportFiles, MAP_SUFFIX, type OpenImport } from './import-source.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';

/** Objects are fetched by requests of this size, so that no connection stays open while a part is stored. */
const FETCH_BYTES = 8 * 1024 * 1024;

const FIRST_MEMBER: GzipMember = { at: 0, byte: 0 };

/** Reads objects of the import bucket. */
export const importFiles = (bucket: string, client: S3Client = new S3Client({ maxAttempts: 5 })): ImportFiles => {
  /** Fetches a range of exactly the announced object. */
  async function fetchRange({ key, etag }: ImportedObject, from: number, to: number): Promise<Uint8Array> {
    try {
      const range = `bytes=${from}-${to - 1}`;
      const request = new GetObjectCommand({ Bucket: bucket, Key: key, Range: range, IfMatch: `"${etag}"` });
      const { Body: body } = await client.send(request);
      if (!body) throw new Error(`${key} came without a body.`);
      return await body.transformToByteArray();
    } catch (error) {
      const replaced = error instanceof S3ServiceException && [404, 412].includes(error.$metadata.httpStatusCode ?? 0);
      if (replaced) throw new UnreadableFile('The object was replaced or removed while it was being imported.');
      throw error;
    }
  }

  async function* fetchFrom(object: ImportedObject, from: number, onBytes: (bytes: number) => void) {
    for (let at = from; at < object.bytes; at += FETCH_BYTES) {
      const chunk = await fetchRange(object, at, Math.min(at + FETCH_BYTES, object.bytes));
      onBytes(at + chunk.length);
      yield chunk;
    }
  }

  const isZipped = async (object: ImportedObject) => object.bytes >= 2 && isGzip(await fetchRange(object, 0, 2));

  return {
    async open(object, { byte: fromByte, member = FIRST_MEMBER }): Promise<OpenImport> {
      let read = 0;
      const onBytes = (bytes: number) => {
        read = bytes;
      };
      if (!(await isZipped(object)))
        return { chunks: fetchFrom(object, fromByte, onBytes), bytesRead: ({ byte }) => byte };
      const chunks = inflated(fetchFrom(object, member.at, onBytes), fromByte - member.byte);
      return { chunks, bytesRead: () => read };
    },

    async openToDivide(object, { byte, member = FIRST_MEMBER }): Promise<DividedImport | undefined> {
      if (!(await isZipped(object))) return { chunks: fetchFrom(object, byte, () => undefined) };
      if (member.at === 0 && byte > 0) return undefined;
      const members: GzipMember[] = [];
      const inflatedFrom = inflatedMembers(
        fetchFrom(object, member.at, () => undefined),
        member,
        (begun) => members.push(begun),
      );
      return { chunks: without(inflatedFrom, byte - member.byte), members };
    },

    importMap: ({ key }) => importMapOf(client, { bucket, key }),

    async putReport(key, lines) {
      const body = lines.map((line) => `${line}\n`).join('');
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: 'application/x-ndjson' }),
      );
    },
  };
};

/** The key of the import map of an object. */
export const mapKey = (key: string): string => `${key}${MAP_SUFFIX}`;

/** The text of the import map beside an object; undefined if there is none. */
export async function importMapOf(
  client: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
): Promise<string | undefined> {
  try {
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: mapKey(key) }));
    return await body?.transformToString();
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
