import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type * as UnknownRoute from '../../functions/edge/unknown-data-route.handler.ts';
import type * as GetRequests from '../../functions/records/download/requests.handler.ts';
import type * as RunDownload from '../../functions/records/download/run-download.handler.ts';
import type * as WakeDownloads from '../../functions/records/download/wake-downloads.handler.ts';
import type * as ImportRecords from '../../functions/records/import/import-records.handler.ts';
import type * as MergeSegments from '../../functions/records/index/merge-segments.handler.ts';
import type * as RemoveSegments from '../../functions/records/index/remove-segments.handler.ts';
import type * as GetResults from '../../functions/records/results/results.handler.ts';
import type * as SearchData from '../../functions/records/search/search-data.handler.ts';
import { objects, sendsTo, setting } from '../constructs/bindings.ts';
import { DomainTable } from '../constructs/domain-table.ts';
import { everyMinute } from '../constructs/every-minute.ts';
import { PrivateBucket } from '../constructs/private-bucket.ts';
import type { PublicApi } from '../constructs/public-api.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import { settingsOf } from '../settings.ts';
import type { AccountsData } from './accounts.ts';

/** Keys of the import bucket that start an import begin with the type of the records. */
const IMPORT_PREFIXES = ['businesses/', 'products/', 'properties/'];
const REPORTS = 'reports/';
const SEGMENTS = 'segments/';

/** What must outlive every deployment: the imported files, the index made from them, and where both stand. */
export class DownloadsData extends Construct {
  readonly table = new DomainTable(this, 'Table');
  /** The imported files, the source of truth, and what was rejected of them. */
  readonly imports = new PrivateBucket(this, 'Imports', {
    announcesObjects: true,
    lifecycleRules: [{ prefix: REPORTS, expiration: Duration.days(90) }],
  });
  /** Immutable segments; a function removes those that no manifest has named for 8 days. */
  readonly index = new PrivateBucket(this, 'Index');
  /** Files of finished downloads. Nobody gets a link to an older one; this collects the garbage. */
  readonly results = new PrivateBucket(this, 'Results', { lifecycleRules: [{ expiration: Duration.days(7) }] });
}

export interface DownloadsProps {
  readonly api: PublicApi;
  readonly data: DownloadsData;
  readonly accounts: AccountsData;
}

/** Import, search and download of business, product and property records. */
export class Downloads extends Construct {
  constructor(scope: Construct, id: string, { api, data, accounts }: DownloadsProps) {
    super(scope, id);
    const { importConcurrency, importMemoryMiB, downloadConcurrency, workersPerDownload } = settingsOf(this);
    const cacheBytes = setting(700 * 1024 * 1024);
    const readsIndex = { actions: ['GetObject'], prefixes: [SEGMENTS] } as const;
    const writesIndex = { actions: ['GetObject', 'PutObject', 'AbortMultipartUpload'], prefixes: [SEGMENTS] } as const;

    const longest = 900;
    const downloads = new WorkQueue(this, 'Downloads', {
      workerTimeoutSeconds: longest,
      ifItFails: 'Customers wait for downloads that do not go on.',
    });

    const searchData = new ServiceFunction<SearchData.Env>(this, 'SearchData', {
      handlerOf: 'records/search/search-data',
      memoryMiB: 1_769,
      timeoutSeconds: 25,
      bindings: {
        ACCOUNTS_TABLE: accounts.table.allows('GetItem', 'UpdateItem'),
        DOWNLOADS_TABLE: data.table.allows('GetItem', 'PutItem'),
        INDEX_BUCKET: objects(data.index, readsIndex),
        DOWNLOADS_QUEUE: sendsTo(downloads.queue),
        CACHE_BYTES: cacheBytes,
      },
      ifItFails: 'Customers get no answer to their searches, and cannot start downloads.',
    });
    api.route('GET', '/v3/data/{type}', searchData);

    const runDownload = new ServiceFunction<RunDownload.Env>(this, 'RunDownload', {
      handlerOf: 'records/download/run-download',
      sendsToItself: true,
      memoryMiB: 1_769,
      timeoutSeconds: longest,
      bindings: {
        ACCOUNTS_TABLE: accounts.table.allows('UpdateItem'),
        DOWNLOADS_TABLE: data.table.allows('GetItem', 'Query', 'PutItem', 'UpdateItem'),
        INDEX_BUCKET: objects(data.index, readsIndex),
        RESULTS_BUCKET: objects(data.results, { actions: ['PutObject', 'AbortMultipartUpload'] }),
        DOWNLOADS_QUEUE: downloads.worksOn(),
        WORKERS_PER_DOWNLOAD: setting(workersPerDownload),
        CACHE_BYTES: cacheBytes,
      },
      ifItFails: 'Customers wait for downloads that do not go on.',
    });
    downloads.workedOnBy(runDownload, { maxConcurrency: downloadConcurrency });

    const wakeDownloads = new ServiceFunction<WakeDownloads.Env>(this, 'WakeDownloads', {
      handlerOf: 'records/download/wake-downloads',
      timeoutSeconds: 55,
      bindings: {
        DOWNLOADS_TABLE: data.table.lists('GetItem', 'UpdateItem'),
        DOWNLOADS_QUEUE: sendsTo(downloads.queue),
      },
      ifItFails: 'A download whose worker died at a bad moment does not go on.',
    });
    everyMinute(this, 'EveryMinute', wakeDownloads, 'Has workers look at downloads of which nothing was heard.');

    const getRequests = new ServiceFunction<GetRequests.Env>(this, 'GetRequests', {
      handlerOf: 'records/download/requests',
      bindings: {
        ACCOUNTS_TABLE: accounts.table.allows('GetItem'),
        DOWNLOADS_TABLE: data.table.allows('GetItem', 'Query'),
      },
      ifItFails: 'Customers cannot see how far their downloads are.',
    });
    api.route('GET', '/v3/requests', getRequests);
    api.route('GET', '/v3/requests/{id}', getRequests);

    const getResults = new ServiceFunction<GetResults.Env>(this, 'GetResults', {
      handlerOf: 'records/results/results',
      bindings: {
        ACCOUNTS_TABLE: accounts.table.allows('GetItem'),
        DOWNLOADS_TABLE: data.table.allows('GetItem', 'Query'),
        RESULTS_BUCKET: objects(data.results, { actions: ['GetObject'] }),
      },
      ifItFails: 'Customers cannot fetch the files of their downloads.',
    });
    api.route('GET', '/v3/results/{id}', getResults);

    const unknownRoute = new ServiceFunction<UnknownRoute.Env>(this, 'UnknownRoute', {
      handlerOf: 'edge/unknown-data-route',
      bindings: { ACCOUNTS_TABLE: accounts.table.allows('GetItem') },
      ifItFails: 'Callers who mistype a path below /v3 get an unclear answer.',
    });
    api.route('ANY', '/v3/{proxy+}', unknownRoute);

    const merges = new WorkQueue(this, 'Merges', {
      workerTimeoutSeconds: longest,
      ifItFails: 'Searches get slower with every import, until merging works again.',
    });
    const mergeSegments = new ServiceFunction<MergeSegments.Env>(this, 'MergeSegments', {
      handlerOf: 'records/index/merge-segments',
      sendsToItself: true,
      memoryMiB: 1_769,
      timeoutSeconds: longest,
      bindings: {
        DOWNLOADS_TABLE: data.table.allows('GetItem', 'PutItem', 'UpdateItem'),
        INDEX_BUCKET: objects(data.index, writesIndex),
        MERGES_QUEUE: merges.worksOn(),
      },
      ifItFails: 'Searches get slower with every import, until merging works again.',
    });
    merges.workedOnBy(mergeSegments, { maxConcurrency: 2 });

    const imports = new WorkQueue(this, 'Imports', {
      workerTimeoutSeconds: longest,
      ifItFails: 'A file was put into the import bucket and its records cannot be found.',
    });
    const importRecords = new ServiceFunction<ImportRecords.Env>(this, 'ImportRecords', {
      handlerOf: 'records/import/import-records',
      sendsToItself: true,
      memoryMiB: importMemoryMiB,
      timeoutSeconds: longest,
      bindings: {
        DOWNLOADS_TABLE: data.table.allows('GetItem', 'PutItem', 'UpdateItem'),
        IMPORTS_BUCKET: objects(
          data.imports,
          { actions: ['GetObject'], prefixes: IMPORT_PREFIXES },
          { actions: ['PutObject'], prefixes: [REPORTS] },
        ).andListsKeys(),
        INDEX_BUCKET: objects(data.index, writesIndex),
        IMPORTS_QUEUE: imports.worksOn(),
        MERGES_QUEUE: sendsTo(merges.queue),
      },
      ifItFails: 'A file was put into the import bucket and its records cannot be found.',
    });
    imports.workedOnBy(importRecords, { maxConcurrency: Math.max(2, importConcurrency) });
    new Rule(this, 'ImportedObjects', {
      description: 'An object put under the import bucket starts its import.',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: {
          bucket: { name: [data.imports.bucketName] },
          object: { key: IMPORT_PREFIXES.map((prefix) => ({ prefix })) },
        },
      },
      targets: [new SqsQueue(imports.queue)],
    });

    const removeSegments = new ServiceFunction<RemoveSegments.Env>(this, 'RemoveSegments', {
      handlerOf: 'records/index/remove-segments',
      timeoutSeconds: 300,
      bindings: {
        DOWNLOADS_TABLE: data.table.allows('Query'),
        INDEX_BUCKET: objects(data.index, { actions: ['DeleteObject'], prefixes: [SEGMENTS] }).andListsKeys(),
      },
      ifItFails: 'Nobody is hurt; storage costs grow by segments that nothing reads.',
    });
    new Rule(this, 'Daily', {
      description: 'Removes segments that no manifest has named for 8 days.',
      schedule: Schedule.cron({ hour: '3', minute: '17' }),
      targets: [new FunctionTarget(removeSegments)],
    });
  }
}
