import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import { downloadStore } from '../../../functions/records/download/download-store.dynamodb.ts';
import { resultFiles } from '../../../functions/records/download/result-files.s3.ts';
import { type DownloadWork, runDownload } from '../../../functions/records/download/run-download.ts';
import { startDownload } from '../../../functions/records/download/start-download.ts';
import { manifestStore } from '../../../functions/records/index/manifests.dynamodb.ts';
import { segmentStorage } from '../../../functions/records/index/segments.s3.ts';
import { newestOfToken } from '../../../functions/records/requests/tenant-requests.dynamodb.ts';
import type { RecordType } from '../../../functions/records/schemas/schema.ts';
import { readSearch } from '../../../functions/records/search/read-search.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { type DataTokenItem, dataTokenKey } from '../../../shared/auth/data-token-items.dynamodb.ts';
import { getItem, putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { s3ClientOf } from '../cloud/local-buckets.ts';
import type { LocalEndpoint } from '../cloud/local-endpoint.ts';
import { createTable } from '../cloud/local-table.ts';
import { Mortality } from '../faults/mortal-clients.ts';
import type { RecordIndex } from './record-index.ts';

const TENANT = 'acme';

export interface RunOptions {
  readonly mortality?: Pick<Mortality, 'bind'>;
  readonly receives?: number;
  /** The clock of the worker. */
  readonly now?: () => number;
  readonly remainingMillis?: () => number;
}

/**
 * Downloads from an index, with the queue under control of the test: every message is recorded, none is delivered by
 * itself.
 */
export async function createDownloadDesk(endpoint: LocalEndpoint, { table, bucket }: RecordIndex, name: string) {
  const accounts = await createTable(endpoint, `accounts-${name}`);
  const results = `results-${name}`;
  const owner = s3ClientOf(endpoint);
  await owner.send(new CreateBucketCommand({ Bucket: results }));
  let ids = 0;

  function depsOf({ mortality = new Mortality(), now = Date.now }: RunOptions) {
    const mortal = mortality.bind(table.client);
    const client = mortality.bind(owner);
    const mortalTable = { name: table.name, client: mortal };
    return {
      downloads: downloadStore(mortalTable, { name: accounts.name, client: mortal }),
      index: manifestStore(mortalTable),
      segments: segmentSearch(segmentStorage(bucket, client), new SegmentCache(50_000_000)),
      storage: resultFiles(results, client),
      share: 2,
      now,
    };
  }

  return {
    downloads: downloadStore(table, accounts),
    accounts,

    /** A token that may download this many records. */
    async account(tokenId: string, availableDownloads: number, renewal: Partial<DataTokenItem> = {}) {
      const token = {
        tokenId,
        tenant: TENANT,
        planId: 'demo',
        availableDownloads,
        createdAt: '2026-01-01T00:00:00.000Z',
        ...renewal,
      };
      await putNewItem(accounts, { ...dataTokenKey(tokenId), ...token });
      return token;
    },

    async credits(tokenId: string) {
      return (await getItem(accounts, dataTokenKey(tokenId)))?.['availableDownloads'] as number;
    },

    /** Starts a download; `sent` is what was put into the queue. */
    async start(
      tokenId: string,
      parameters: Record<string, string>,
      options: RunOptions & { newId?: () => Promise<number>; type?: RecordType } = {},
    ) {
      const sent: DownloadWork[] = [];
      const search = readSearch(options.type ?? 'businesses', { download: 'true', ...parameters }, 'all');
      const caller = { tokenId, token: 'secret', tenant: TENANT, planId: 'demo', availableDownloads: 0 };
      const request = await startDownload(
        {
          ...depsOf(options),
          send: async ({ tokenId: to, id }) => void sent.push({ tokenId: to, id }),
          newId: options.newId ?? (async () => (ids += 1)),
        },
        search,
        caller,
      );
      return { request, sent };
    },

    /** One delivery of a message to a worker, which may be mortal. */
    run(work: DownloadWork, { receives = 1, remainingMillis = () => 900_000, ...options }: RunOptions = {}) {
      return runDownload(depsOf(options), work, { receives, remainingMillis });
    },

    /** Delivers messages, and those that follow, until none is left. */
    async runAll(works: readonly DownloadWork[]) {
      const queue = [...works];
      for (let work = queue.shift(); work; work = queue.shift()) queue.push(...(await this.run(work)));
    },

    requests: (tokenId: string) => newestOfToken(table, tokenId, { before: Number.MAX_SAFE_INTEGER, limit: 100 }),

    async request({ tokenId, id }: DownloadRequest): Promise<DownloadRequest> {
      const request = await this.downloads.request({ tokenId, id });
      if (!request) throw new Error(`Request ${id} is gone.`);
      return request;
    },

    /** The result files in storage, by key. */
    async files(tokenId: string): Promise<Map<string, string>> {
      const { Contents: objects = [] } = await owner.send(
        new ListObjectsV2Command({ Bucket: results, Prefix: `${TENANT}/${tokenId}/` }),
      );
      const files = new Map<string, string>();
      for (const { Key: key = '' } of objects) {
        const { Body: body } = await owner.send(new GetObjectCommand({ Bucket: results, Key: key }));
        files.set(key.split('/').at(-1) ?? '', (await body?.transformToString()) ?? '');
      }
      return files;
    },
  };
}

export type DownloadDesk = Awaited<ReturnType<typeof createDownloadDesk>>;
