/** The first records that match a query and how many there are, or a download of all of them. */
import * as z from 'zod/mini';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { httpHandler, httpRoutes, json, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { newRequestId, presentRequest } from '../download/download-request.ts';
import { downloadStore } from '../download/download-store.dynamodb.ts';
import { startDownload } from '../download/start-download.ts';
import { accountsTable, cacheBytes, indexBucket, recordsTable } from '../environment.ts';
import { manifestStore } from '../index/manifests.dynamodb.ts';
import { segmentStorage } from '../index/segments.s3.ts';
import { SegmentCache } from '../segments/query/segment-cache.ts';
import { segmentSearch } from '../segments/query/segment-search.ts';
import { presentPreview, refusingTooManyTerms } from './preview.ts';
import { PREVIEW_RECORDS, readSearch } from './read-search.ts';

export const Env = z.object({
  ...accountsTable,
  ...recordsTable,
  ...indexBucket,
  ...cacheBytes,
  DOWNLOADS_QUEUE: resource,
});
const env = readEnv(Env);
const table = boundTable(env.RECORDS_TABLE);
const accounts = boundTable(env.ACCOUNTS_TABLE);
const index = manifestStore(table);
const segments = segmentSearch(segmentStorage(env.INDEX_BUCKET), new SegmentCache(env.CACHE_BYTES));
const starting = {
  index,
  segments,
  downloads: downloadStore(table, accounts),
  // Most calls are previews, which need no queue.
  send: async (work: { tenant: string }) => {
    const { sendMessage } = await import('#shared/queue/message-lease.sqs');
    await sendMessage(env.DOWNLOADS_QUEUE, work, { group: work.tenant });
  },
  now: () => Date.now(),
  newId: () => newRequestId(Date.now(), Math.random()),
};
const input = { path: z.object({ type: z.string() }), query: z.record(z.string(), z.string()) };

const search = httpHandler(dataSurface(env.ACCOUNTS_TABLE), input, async ({ caller, path, query }) => {
  const asked = readSearch(path.type, query, caller.planId);
  if (asked.download) {
    const request = await refusingTooManyTerms(startDownload(starting, asked, caller));
    return json(303, presentRequest(request, caller.token), { location: `/v3/requests/${request.id}` });
  }
  const manifest = await index.current(asked.type);
  const limit = asked.records ?? PREVIEW_RECORDS;
  const found = await refusingTooManyTerms(segments.preview(asked.query, limit, manifest.segments));
  return ok(await presentPreview(asked, found));
});

export const handler = httpRoutes({ 'GET /v3/data/{type}': search });
