import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { ImportedObject } from './import-job.ts';
import type { ImportFiles, OpenImport } from './import-source.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';

/** Objects are fetched by requests of this size, so that no connection stays open while a part is stored. */
const FETCH_BYTES = 8 * 1024 * 1024;

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

  return {
    async open(object, fromByte): Promise<OpenImport> {
      let read = 0;
      const onBytes = (bytes: number) => {
        read = bytes;
      };
      const zipped = object.bytes >= 2 && isGzip(await fetchRange(object, 0, 2));
      return {
        chunks: zipped ? unzipped(fetchFrom(object, 0, onBytes), fromByte) : fetchFrom(object, fromByte, onBytes),
        bytesRead: ({ byte }) => (zipped ? read : byte),
      };
    },

    async columnMap({ key }) {
      try {
        const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `${key}.map.json` }));
        return await body?.transformToString();
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },

    async putReport(key, lines) {
      const body = lines.map((line) => `${line}\n`).join('');
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: 'application/x-ndjson' }),
      );
    },
  };
};

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

/** gzip cannot be read from the middle, so the bytes before `fromByte` are decompressed and dropped. */
async function* unzipped(source: AsyncIterable<Uint8Array>, fromByte: number): AsyncGenerator<Uint8Array> {
  // An error of the source destroys the stream and so reaches the loop below.
  const stream = pipeline(source, createGunzip({ chunkSize: 256 * 1024 }), () => undefined);
  let dropped = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const drop = Math.min(fromByte - dropped, chunk.length);
      dropped += drop;
      if (drop < chunk.length) yield drop > 0 ? chunk.subarray(drop) : chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new UnreadableFile(`The gzip data is damaged or cut short (${error.message}).`, { cause: error });
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}
