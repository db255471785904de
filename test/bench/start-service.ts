/** The AWS endpoint of the start bench, with a small index to search and a token to search with. */
import type * as z from 'zod/mini';
import { dataTokenStore } from '../../functions/accounts/data-tokens/data-token-store.dynamodb.ts';
import { segmentObjectKey } from '../../functions/records/index/segments.s3.ts';
import type { Env } from '../../functions/records/search/search-data.handler.ts';
import { metaKey } from '../../functions/records/segments/format/format.ts';
import { dataTokenId } from '../../shared/auth/data-token.ts';
import { startLocalEndpoint } from '../support/cloud/local-endpoint.ts';
import { createTable } from '../support/cloud/local-table.ts';
import { createRecordIndex } from '../support/records/record-index.ts';
import type { TwoReads } from './conversions/two-clients.ts';
import { generatedBusinesses } from './records/generated-businesses.ts';

const RECORDS = 1_000;
const TOKEN = 'bench-token';

export interface StartService {
  /** The environment of the handlers. */
  readonly environment: Readonly<Record<string, string>>;
  /** A call of the preview function that finds records. */
  readonly search: object;
  /** The manifest and the meta of the segment, which a search reads too. */
  readonly twoReads: TwoReads;
  close(): Promise<void>;
}

export async function startService(): Promise<StartService> {
  const endpoint = await startLocalEndpoint();
  const { index, bucket, table, ...records } = await createRecordIndex(endpoint, 'start');
  const lines = [...generatedBusinesses(RECORDS)].map((record) => `${JSON.stringify(record)}\n`);
  await records.run(await records.put('businesses/start.ndjson', lines.join('')));
  const [segment] = (await index.current('businesses')).segments;
  if (!segment) throw new Error('Nothing was imported.');

  const accounts = await createTable(endpoint, 'accounts');
  await dataTokenStore(accounts).add({
    tokenId: dataTokenId(TOKEN),
    tenant: 'bench',
    planId: 'bench',
    availableDownloads: 0,
    createdAt: new Date().toISOString(),
  });
  const { accessKeyId, secretAccessKey } = endpoint.root;
  return {
    environment: {
      ACCOUNTS_TABLE: accounts.name,
      RECORDS_TABLE: table.name,
      INDEX_BUCKET: bucket,
      DOWNLOADS_QUEUE: `${endpoint.url}/000000000000/downloads`,
      CACHE_BYTES: '1000000',
      DATA_PLANS: '{}',
      PREVIEW_RECORDS_PER_DAY: '1000000',
      AWS_ENDPOINT_URL: endpoint.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    } satisfies z.input<typeof Env> & Readonly<Record<string, string>>,
    search: {
      routeKey: 'GET /v3/data/{type}',
      rawQueryString: 'q=categories:restaurants',
      pathParameters: { type: 'businesses' },
      headers: { authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}` },
      requestContext: { requestId: 'start', http: { method: 'GET' } },
      isBase64Encoded: false,
    },
    twoReads: {
      table: table.name,
      pk: 'INDEX#businesses',
      sk: 'MANIFEST',
      bucket,
      object: segmentObjectKey(metaKey(segment.id)),
    },
    close: () => endpoint.close(),
  };
}
