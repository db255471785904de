/** GET /v3/data/{type}: the first records that match a query and how many there are, or a download of all of them. */
import * as z from 'zod';
import { dataApi } from '#shared/auth/data-account';
import { dataAccounts } from '#shared/auth/data-accounts.dynamodb';
import { readEnv } from '#shared/env';
import { httpHandler, json, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { newRequestId, presentRequest } from '../download/download-request.ts';
import { downloadStore } from '../download/download-store.dynamodb.ts';
import { startDownload } from '../download/start-download.ts';
import { manifestStore } from '../index/manifests.dynamodb.ts';
import { segmentStorage } from '../index/segments.s3.ts';
import { SegmentCache } from '../segments/query/segment-cache.ts';
import { segmentSearch } from '../segments/query/segment-search.ts';
import { presentPreview, refusingTooManyTerms } from './preview.ts';
import { PREVIEW_RECORDS, readSearch } from './search.ts';

const Env = z.object({
  ACCOUNTS_TABLE: z.string().min(1),
  DOWNLOADS_TABLE: z.string().min(1),
  INDEX_BUCKET: z.string().min(1),
  DOWNLOADS_QUEUE: z.string().min(1),
  CACHE_BYTES: z.coerce.number().int().positive(),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const table = boundTable(env.DOWNLOADS_TABLE);
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
  now: () => new Date(),
  newId: () => newRequestId(new Date(), Math.random()),
};
const input = { path: z.object({ type: z.string() }), query: z.record(z.string(), z.string()) };

export const handler = httpHandler(dataApi(dataAccounts(accounts)), input, async ({ caller, path, query }) => {
  const search = readSearch(path.type, query, caller.planId);
  if (search.download) {
    const request = await refusingTooManyTerms(startDownload(starting, search, caller));
    return json(303, presentRequest(request, caller.token), { location: `/v3/requests/${request.id}` });
  }
  const manifest = await index.current(search.type);
  const limit = search.records ?? PREVIEW_RECORDS;
  const found = await refusingTooManyTerms(segments.preview(search.query, limit, manifest.segments));
  return ok(await presentPreview(search, found));
});
