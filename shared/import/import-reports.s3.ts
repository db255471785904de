import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Rejection } from './command/rejections.ts';
import { REJECTIONS_SHOWN } from './present-import.ts';

/** A link is made when a person opens an import, and used soon. */
const LINK_SECONDS = 300;
/** There is a report per part with rejected lines, and a link takes half a kilobyte. */
const LINKS_MAX = 100;

/**
 * Reads reports of rejected lines for people.
 * @param bucket the bucket of the imports
 */
export const importReports = (bucket: string, client: S3Client = linkingClient()) => {
  /** The first lines of a report; empty if the report has expired. */
  async function linesOf(key: string, most: number): Promise<Rejection[]> {
    try {
      const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return body ? await firstLines(body as Readable, most) : [];
    } catch (error) {
      if (error instanceof NoSuchKey) return [];
      throw error;
    }
  }

  return {
    /**
     * The first rejected lines, and a link to each full report.
     * @param keys in the order of lines
     */
    async summary(keys: readonly string[]) {
      const rejections: Rejection[] = [];
      for (const key of keys) {
        if (rejections.length >= REJECTIONS_SHOWN) break;
        rejections.push(...(await linesOf(key, REJECTIONS_SHOWN - rejections.length)));
      }
      const rejectionsUrls = await Promise.all(keys.slice(0, LINKS_MAX).map(link));
      return { rejections, ...(rejectionsUrls.length > 0 && { rejectionsUrls }) };
    },
  };

  function link(key: string): Promise<string> {
    return getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: LINK_SECONDS });
  }
};

async function firstLines(body: Readable, most: number): Promise<Rejection[]> {
  const rejections: Rejection[] = [];
  for await (const line of createInterface({ input: body, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') rejections.push(JSON.parse(line) as Rejection);
    if (rejections.length >= most) break;
  }
  // The rest of a long report is not fetched.
  body.destroy();
  return rejections;
}

/** Programs that open a link need not support checksums. */
const linkingClient = () =>
  new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' });
