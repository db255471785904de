import { previewBuckets } from '#shared/auth/preview-buckets.dynamodb';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { downloadStore } from '../download/download-store.dynamodb.ts';
import type { StartDeps } from '../download/start-download.ts';
import { manifestStore } from '../index/manifests.dynamodb.ts';
import { recentManifests } from '../index/recent-manifests.ts';
import { segmentStorage } from '../index/segments.s3.ts';
import { SegmentCache } from '../segments/query/segment-cache.ts';
import { segmentSearch } from '../segments/query/segment-search.ts';
import type { PreviewLimits } from './limited-preview.ts';
import type { PreviewDeps } from './preview.ts';
import { shownRecords } from './shown-records.dynamodb.ts';

interface Environment {
  readonly ACCOUNTS_TABLE: string;
  readonly RECORDS_TABLE: string;
  readonly INDEX_BUCKET: string;
  readonly DOWNLOADS_QUEUE: string;
  readonly CACHE_BYTES: number;
  readonly PREVIEW_RECORDS_PER_DAY: number;
}

/**
 * Creates the parts that search and start downloads, for every interface that offers it.
 * @param now milliseconds since 1970
 */
export function searchParts(env: Environment, now: () => number): StartDeps & PreviewDeps & PreviewLimits {
  const table = boundTable(env.RECORDS_TABLE);
  const accounts = boundTable(env.ACCOUNTS_TABLE);
  const index = manifestStore(table);
  // Ids are taken one at a time, so that they order requests by time.
  const requestIds = tableIds(table, 1);
  return {
    buckets: previewBuckets(accounts),
    shownRecords: shownRecords(accounts),
    recordsPerDay: env.PREVIEW_RECORDS_PER_DAY,
    index,
    recentIndex: recentManifests(index, now),
    segments: segmentSearch(segmentStorage(env.INDEX_BUCKET), new SegmentCache(env.CACHE_BYTES)),
    downloads: downloadStore(table, accounts),
    // Most calls are previews, which need no queue.
    send: async (work) => {
      const { sendMessage } = await import('#shared/queue/message-lease.sqs');
      await sendMessage(env.DOWNLOADS_QUEUE, work, { group: work.tenant });
    },
    now,
    newId: () => requestIds.next('request'),
  };
}
