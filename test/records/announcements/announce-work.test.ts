import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ImportJob, newImportJob } from '../../../shared/import/import-job.ts';
import { EventsBus } from '../../support/cloud/events-bus.ts';
import { type LocalEndpoint, REGION, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { downloadRequest } from '../../support/records/download-requests.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

type Handler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

const AT = '2026-03-04T05:07:00.000Z';
const lines = loggedLines();
let endpoint: LocalEndpoint;
let bus: EventsBus;
let handler: Handler;

/** The handler in a function of its own. @param tenant of the stage's settings */
async function handlerFor(tenant: string): Promise<Handler> {
  vi.resetModules();
  vi.stubEnv('IMPORTS_TENANT', tenant);
  return (await import('../../../functions/records/announcements/announce-work.handler.ts')).handler;
}

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  bus = new EventsBus();
  endpoint.add(bus);
  const { credentials } = endpoint.clientOptions();
  const environment = {
    EVENT_BUS: 'events',
    RECORDS_TABLE: 'records',
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  handler = await handlerFor('owner');
});
beforeEach(() => {
  bus.reset();
  lines();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

const download = (own: Parameters<typeof downloadRequest>[0] = {}) => ({
  pk: 'DOWNLOADS#tok_x',
  ...downloadRequest({ status: 'COMPLETED', completedAt: AT, numDownloaded: 3, filesDone: 1, ...own }),
});
const begun = newImportJob(
  { key: 'products/shoes.csv', etag: 'e', sequencer: '1', bytes: 9 },
  'products',
  Date.parse(AT),
);
const imported = (own: Partial<ImportJob> = {}) => ({
  pk: 'IMPORT#products/shoes.csv',
  ...begun,
  status: 'COMPLETED',
  checkpoint: { byte: 9, line: 4 },
  counts: { accepted: 2, deleted: 1, rejected: 1 },
  ...own,
});

const recordOf = (item: object, sequence: number): DynamoDBRecord => ({
  eventName: 'MODIFY',
  dynamodb: {
    SequenceNumber: String(1_000 + sequence),
    NewImage: marshall(item, { removeUndefinedValues: true }) as never,
  },
});
const announce = (items: readonly object[], reader = handler) =>
  reader({ Records: items.map(recordOf) }, { awsRequestId: 'i-1' } as Context);
const ids = () => bus.taken.map(({ detail }) => detail.id);

describe('the end of a download', () => {
  it('is an event of its tenant, with what became of it', async () => {
    expect(await announce([download()])).toEqual({ batchItemFailures: [] });
    expect(bus.taken).toMatchObject([{ Source: 'records', DetailType: 'webhook.trigger', EventBusName: 'events' }]);
    expect(bus.taken[0]?.detail).toEqual({
      tenant: 'acme',
      id: 'downloads-request-9117705982',
      module: 'downloads',
      trigger: 'Download is completed',
      recordType: 'download',
      recordId: '9117705982',
      time: AT,
      data: {
        dataType: 'products',
        query: 'name:a',
        view: 'products_all',
        format: 'csv',
        numFound: 3,
        numRequested: 3,
        numDownloaded: 3,
        files: 1,
        error: null,
        startedAt: '2026-03-04T05:06:07.000Z',
        completedAt: AT,
      },
    });
  });

  it('says why not all was delivered', async () => {
    await announce([download({ error: 'Too few credits.', numDownloaded: 0, filesDone: 0 })]);
    expect(bus.taken[0]?.detail.data).toMatchObject({ error: 'Too few credits.', numDownloaded: 0 });
  });

  it('has one id, however often it is announced, and comes again when the bus fails', async () => {
    const all = [download(), download(), download({ id: 7 })];
    bus.refuses.add('7');
    expect(await announce(all)).toEqual({ batchItemFailures: [{ itemIdentifier: '1000' }] });
    bus.reset();
    expect(await announce(all)).toEqual({ batchItemFailures: [] });
    expect(new Set(ids())).toEqual(new Set(['downloads-request-9117705982', 'downloads-request-7']));
  });

  it('that cannot be read does not block others, and a running one is not announced', async () => {
    const running = { ...download(), status: 'STARTED', completedAt: undefined };
    await announce([{ pk: 'DOWNLOADS#tok_x', id: 'x' }, running, download()]);
    expect(ids()).toEqual(['downloads-request-9117705982']);
    expect(lines().filter(({ message }) => message === 'unreadable download or import')).toHaveLength(1);
  });
});

describe('the end of an import of records', () => {
  it('is an event of the tenant that the settings name', async () => {
    await announce([imported()]);
    expect(bus.taken[0]?.detail).toMatchObject({
      tenant: 'owner',
      id: `downloads-import-${begun.id}`,
      module: 'downloads',
      trigger: 'Import is completed',
      recordId: begun.id,
      data: {
        status: 'COMPLETED',
        type: 'products',
        file: 'shoes.csv',
        lines: 4,
        imported: 2,
        deleted: 1,
        rejected: 1,
      },
    });
  });

  it('says why it failed', async () => {
    await announce([imported({ status: 'FAILED', error: 'The file is not gzip.' }), imported({ status: 'RUNNING' })]);
    expect(bus.taken.map(({ detail }) => detail.data['error'])).toEqual(['The file is not gzip.']);
  });

  it('is none where the settings name no tenant; downloads are announced all the same', async () => {
    await announce([imported(), download()], await handlerFor(''));
    expect(ids()).toEqual(['downloads-request-9117705982']);
  });
});
