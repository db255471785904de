import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { jsonIn } from '#shared/formats/json-text';
import type { Rejection } from './command/rejections.ts';
import { importMapOf } from './import-files.s3.ts';
import { presentImport, REJECTIONS_SHOWN, type WatchedImport } from './present-import.ts';
import { ImportMap } from './uploads/upload-schemas.ts';

/** A link is made when a person opens an import, and used soon. */
const LINK_SECONDS = 300;
/** There is a report per part with rejected lines, and a link takes half a kilobyte. */
const LINKS_MAX = 100;

/**
 * Reads reports of rejected lines for people.
 * @param bucket the bucket of the imports
 */
export const importReports = (bucket: string, client: S3Client = linkingClient()) => {
  /** The lines of a report from one position on; none if the report has expired. */
  async function linesOf(key: string, { skip, most }: { skip: number; most: number }): Promise<ReportLines> {
    try {
      const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return body ? await linesAfter(body as Readable, skip, most) : NO_LINES;
    } catch (error) {
      if (error instanceof NoSuchKey) return NO_LINES;
      throw error;
    }
  }

  return {
    /** An import with its columns and map, a page of its rejected lines, and links to all of them. */
    async report(job: WatchedImport, after: number) {
      const [map, summary] = await Promise.all([mapOf(job.object.key), summaryOf(job.reports, after)]);
      return {
        ...presentImport(job),
        ...(job.columns && { columns: job.columns }),
        ...(map && { map }),
        ...summary,
      };
    },
  };

  /**
   * A page of rejected lines, and a link to each full report.
   * @param keys in the order of lines
   * @param after the number of rejected lines before the page
   */
  async function summaryOf(keys: readonly string[], after: number) {
    const rejections: Rejection[] = [];
    let skip = after;
    for (const key of keys) {
      if (rejections.length >= REJECTIONS_SHOWN) break;
      const { lines, skipped } = await linesOf(key, {
        skip,
        most: REJECTIONS_SHOWN - rejections.length,
      });
      rejections.push(...lines);
      skip -= skipped;
    }
    const rejectionsUrls = await Promise.all(keys.slice(0, LINKS_MAX).map(link));
    return { rejections, ...(rejectionsUrls.length > 0 && { rejectionsUrls }) };
  }

  /** The import map beside an object; undefined if there is none, or one that no import can use. */
  async function mapOf(key: string): Promise<ImportMap | undefined> {
    const text = await importMapOf(client, { bucket, key });
    return text === undefined ? undefined : ImportMap.safeParse(jsonIn(text)).data;
  }

  function link(key: string): Promise<string> {
    return getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: LINK_SECONDS });
  }
};

interface ReportLines {
  readonly lines: readonly Rejection[];
  /** The lines before them. */
  readonly skipped: number;
}

const NO_LINES: ReportLines = { lines: [], skipped: 0 };

async function linesAfter(body: Readable, skip: number, most: number): Promise<ReportLines> {
  const lines: Rejection[] = [];
  let skipped = 0;
  for await (const line of createInterface({ input: body, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue;
    if (skipped < skip) skipped += 1;
    else lines.push(JSON.parse(line) as Rejection);
    if (lines.length >= most) break;
  }
  // The rest of a long report is not fetched.
  body.destroy();
  return { lines, skipped };
}

/** Programs that open a link need not support checksums. */
const linkingClient = () =>
  new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' });
