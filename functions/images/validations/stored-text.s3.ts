import { GetObjectCommand, NoSuchKey, type S3Client } from '@aws-sdk/client-s3';

interface StoredObject {
  readonly bucket: string;
  readonly key: string;
}

/** Reads an object as text; undefined if there is none. */
export async function storedText(client: S3Client, { bucket, key }: StoredObject): Promise<string | undefined> {
  try {
    const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return await body?.transformToString();
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
