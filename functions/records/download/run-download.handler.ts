/**
 * SQS worker: counts a download if that is still to be done, and writes as many of its files as a slice of time allows.
 */
import * as z from 'zod';
import { positiveInteger, readEnv, resource } from '#shared/env';
import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { accountsTable, cacheBytes, indexBucket, recordsTable } from '../environment.ts';
import { manifestStore } from '../index/manifests.dynamodb.ts';
import { segmentStorage } from '../index/segments.s3.ts';
import { SegmentCache } from '../segments/query/segment-cache.ts';
import { segmentSearch } from '../segments/query/segment-search.ts';
import { downloadStore } from './download-store.dynamodb.ts';
import { resultFiles } from './result-files.s3.ts';
import { DownloadMessage, runDownload } from './run-download.ts';

export const Env = z.object({
  ...accountsTable,
  ...recordsTable,
  ...indexBucket,
  ...cacheBytes,
  RESULTS_BUCKET: resource,
  DOWNLOADS_QUEUE: resource,
  WORKERS_PER_DOWNLOAD: positiveInteger,
});
const env = readEnv(Env);
const table = boundTable(env.RECORDS_TABLE);
const deps = {
  downloads: downloadStore(table, boundTable(env.ACCOUNTS_TABLE)),
  index: manifestStore(table),
  segments: segmentSearch(segmentStorage(env.INDEX_BUCKET), new SegmentCache(env.CACHE_BYTES)),
  storage: resultFiles(env.RESULTS_BUCKET),
  share: env.WORKERS_PER_DOWNLOAD,
  now: () => Date.now(),
};

export const handler = queueHandler(DownloadMessage, async ({ message, receiptHandle, ...reception }) => {
  const next = await holdingMessage({ queueUrl: env.DOWNLOADS_QUEUE, receiptHandle }, () =>
    runDownload(deps, message, reception),
  );
  log.info('download', { id: message.id, files: message.files, receives: reception.receives, next: next.length });
  await Promise.all(
    next.map((work) => sendMessage(env.DOWNLOADS_QUEUE, { ...message, ...work }, { group: message.tenant })),
  );
});
