import { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';

/** Every object of the bucket under these prefixes. One that is removed meanwhile is left out. */
export async function* bucketObjects(
  client: S3Client,
  bucket: string,
  prefixes: Iterable<string>,
): AsyncGenerator<{ readonly key: string; readonly body: Readable }> {
  for (const prefix of prefixes) {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
      for (const { Key: key = '' } of page.Contents ?? []) {
        const body = await bodyOf(client, bucket, key);
        if (body) yield { key, body };
      }
    }
  }
}

async function bodyOf(client: S3Client, bucket: string, key: string): Promise<Readable | undefined> {
  try {
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (body instanceof Readable) return body;
    throw new Error(`S3 has answered without the bytes of ${key}.`);
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
