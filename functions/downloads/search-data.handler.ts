/** GET /v3/data/{type}: the first records that match a query, and how many there are. */
import * as z from 'zod';
import { dataApi } from '#shared/auth/data-account';
import { dataAccounts } from '#shared/auth/data-accounts.dynamodb';
import { readEnv } from '#shared/env';
import { Refusal } from '#shared/errors';
import { httpHandler, ok } from '#shared/http/http-handler';
import { boundTable } from '#shared/table.dynamodb';
import { indexStore } from './index-store.dynamodb.ts';
import { presentPreview } from './preview.ts';
import { PREVIEW_RECORDS, readSearch } from './search.ts';
import { SegmentCache } from './segments/segment-cache.ts';
import { segmentSearch } from './segments/segment-search.ts';
import { segmentStorage } from './segments.s3.ts';

const Env = z.object({
  ACCOUNTS_TABLE: z.string().min(1),
  DOWNLOADS_TABLE: z.string().min(1),
  INDEX_BUCKET: z.string().min(1),
  CACHE_BYTES: z.coerce.number().int().positive(),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const index = indexStore(boundTable(env.DOWNLOADS_TABLE));
const engine = segmentSearch(segmentStorage(env.INDEX_BUCKET), new SegmentCache(env.CACHE_BYTES));
const input = { path: z.object({ type: z.string() }), query: z.record(z.string(), z.string()) };

export const handler = httpHandler(
  dataApi(dataAccounts(boundTable(env.ACCOUNTS_TABLE))),
  input,
  async ({ caller, path, query }) => {
    const search = readSearch(path.type, query, caller.planId);
    if (search.download) throw new Refusal(400, 'bad-request', 'download=true is not available in this version');
    const manifest = await index.current(search.type);
    const found = await engine.preview(search.query, search.records ?? PREVIEW_RECORDS, manifest);
    return ok(await presentPreview(search, found));
  },
);
