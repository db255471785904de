import type { Construct } from 'constructs';
import { objects, sendsTo, setting, worksOn } from '../../constructs/functions/bindings.ts';
import { everyMinute } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { DATA_PLANS, settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { cacheBytes, LONGEST_SECONDS, readsIndex } from './index-grants.ts';
import type { RecordsData } from './records-data.ts';

/** Searches and bulk downloads: their requests, workers, progress and results. */
export function addDownloads(scope: Construct, on: Foundations): void {
  const downloads = new WorkQueue(scope, 'Downloads', { workerTimeoutSeconds: LONGEST_SECONDS, isLeased: true });
  addRoutes(scope, on, downloads);
  addTenantRoutes(scope, on, downloads);
  addWorkers(scope, on, downloads);
}

function addRoutes(scope: Construct, { data: { accounts, records }, edge: { api } }: Foundations, queue: WorkQueue) {
  const authenticates = {
    ACCOUNTS_TABLE: accounts.table.allows({
      'ACCOUNT#': ['GetItem'],
      'DATA_TOKEN#': ['GetItem'],
      'PREVIEWS#': ['GetItem'],
    }),
  };
  api.serve(scope, 'records/search/search-data', {
    hasCanary: true,
    memoryMiB: 1_769,
    timeoutSeconds: 25,
    bindings: {
      ...searches(scope, records, queue),
      ACCOUNTS_TABLE: accounts.table.allows({
        'ACCOUNT#': ['GetItem'],
        'DATA_TOKEN#': ['GetItem', 'UpdateItem'],
        'PREVIEWS#': ['GetItem', 'UpdateItem'],
      }),
    },
    ifItFails: 'Customers get no answer to their searches, and cannot start downloads.',
  });
  api.serve(scope, 'records/requests/requests', {
    bindings: {
      ACCOUNTS_TABLE: accounts.table.allows(
        { 'ACCOUNT#': ['GetItem'], 'DATA_TOKEN#': ['GetItem'], 'PREVIEWS#': ['GetItem'] },
        { lists: ['DATA_TOKENS#'] },
      ),
      RECORDS_TABLE: records.table.allows({ 'DOWNLOADS#': ['GetItem', 'Query'], 'REQUEST#': ['GetItem'] }),
    },
    ifItFails: 'Customers cannot see how far their downloads have come.',
  });
  api.serve(scope, 'records/download-files/results', {
    bindings: {
      ...accounts.auditing,
      ...authenticates,
      RECORDS_TABLE: records.table.allows({ 'DOWNLOADS#': ['GetItem'], 'REQUEST#': ['GetItem', 'Query'] }),
      // Without the permission to list, S3 answers 403 for a file that was removed.
      RESULTS_BUCKET: objects(records.results, { actions: ['GetObject'] }).andListsKeys(),
    },
    ifItFails: 'Customers cannot fetch the files of their downloads.',
  });
}

/** The bindings for searching and starting downloads, besides the data tokens. */
const searches = (scope: Construct, records: RecordsData, queue: WorkQueue) => ({
  RECORDS_TABLE: records.table.allows({
    'INDEX#': ['GetItem'],
    'DOWNLOADS#': ['PutItem'],
    'REQUEST#': ['PutItem'],
    'SEQUENCE#': ['UpdateItem'],
  }),
  INDEX_BUCKET: objects(records.index, readsIndex),
  DOWNLOADS_QUEUE: sendsTo(queue.queue),
  CACHE_BYTES: cacheBytes,
  DATA_PLANS: setting(JSON.stringify(DATA_PLANS)),
  PREVIEW_RECORDS_PER_DAY: setting(settingsOf(scope).previewRecordsPerDay),
});

/** The same for people of a tenant, who have no token at hand. */
function addTenantRoutes(
  scope: Construct,
  { data: { accounts, records }, edge: { api } }: Foundations,
  queue: WorkQueue,
) {
  api.serve(scope, 'records/search/tenant-data', {
    memoryMiB: 1_769,
    timeoutSeconds: 25,
    bindings: {
      ...accounts.auditing,
      ...searches(scope, records, queue),
      ACCOUNTS_TABLE: accounts.table.allows(
        { 'DATA_TOKEN#': ['UpdateItem'], 'PREVIEWS#': ['UpdateItem'] },
        { lists: ['DATA_TOKENS#'] },
      ),
    },
    ifItFails: 'People of a tenant get no answer to their searches in the console, and cannot start downloads there.',
  });
  api.serve(scope, 'records/schemas/schemas', {
    bindings: {},
    ifItFails: 'People of a tenant cannot see which fields they can search.',
  });
  api.serve(scope, 'records/requests/tenant-requests', {
    bindings: {
      ACCOUNTS_TABLE: accounts.table.allows({}, { lists: ['DATA_TOKENS#'] }),
      RECORDS_TABLE: records.table.allows({ 'DOWNLOADS#': ['GetItem', 'Query'], 'REQUEST#': ['GetItem', 'Query'] }),
    },
    ifItFails: 'People of a tenant cannot see in the console how far its downloads have come.',
  });
}

function addWorkers(scope: Construct, { data: { accounts, records } }: Foundations, queue: WorkQueue) {
  const { downloadConcurrency, workersPerDownload } = settingsOf(scope);
  const runDownload = new ServiceFunction(scope, 'records/download/run-download', {
    sendsToItself: true,
    memoryMiB: 1_769,
    timeoutSeconds: LONGEST_SECONDS,
    bindings: {
      ACCOUNTS_TABLE: accounts.table.allows({ 'DATA_TOKEN#': ['UpdateItem'] }),
      RECORDS_TABLE: records.table.allows({
        'INDEX#': ['GetItem'],
        'DOWNLOADS#': ['GetItem', 'UpdateItem'],
        'REQUEST#': ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      }),
      INDEX_BUCKET: objects(records.index, readsIndex),
      RESULTS_BUCKET: objects(records.results, { actions: ['PutObject', 'AbortMultipartUpload'] }),
      DOWNLOADS_QUEUE: worksOn(queue.queue),
      WORKERS_PER_DOWNLOAD: setting(workersPerDownload),
      CACHE_BYTES: cacheBytes,
    },
    ifItFails: 'Customers wait for downloads that make no progress.',
  });
  queue.workedOnBy(runDownload, { maxConcurrency: downloadConcurrency });

  const wakeDownloads = new ServiceFunction(scope, 'records/download/wake-downloads', {
    isCalledEveryMinute: true,
    timeoutSeconds: 55,
    bindings: {
      RECORDS_TABLE: records.table.allows(
        { 'DOWNLOADS#': ['GetItem', 'UpdateItem'] },
        { lists: ['RUNNING_DOWNLOADS'] },
      ),
      DOWNLOADS_QUEUE: sendsTo(queue.queue),
    },
    ifItFails: 'A download whose worker died at a bad moment is not resumed.',
  });
  everyMinute(scope, 'WakeDownloadsEveryMinute', wakeDownloads, 'Wakes downloads that have fallen silent.');
}
