import type { Construct } from 'constructs';
import { MAP_SUFFIX, REPORTS } from '#shared/import/import-source';
import type { RecordType } from '../../../functions/records/schemas/schema.ts';
import { objects, sendsTo, setting, worksOn } from '../../constructs/functions/bindings.ts';
import { sendCreatedObjects } from '../../constructs/functions/object-created.ts';
import { everyDay, everyMinute } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { LONGEST_SECONDS, removesFromIndex, writesIndex } from './index-grants.ts';

/** A key of the import bucket that starts an import begins with the type of the records. */
const IMPORT_PREFIXES: readonly `${RecordType}/`[] = ['businesses/', 'products/', 'properties/'];

/** Imports objects of the import bucket into the index, and keeps the index in shape. */
export function addImports(scope: Construct, on: Foundations): void {
  const merges = addMerges(scope, on);
  addImportWorkers(scope, on, merges);
  addManagement(scope, on);
  addRemoval(scope, on);
}

function addMerges(scope: Construct, { data: { records } }: Foundations): WorkQueue {
  const merges = new WorkQueue(scope, 'Merges', { workerTimeoutSeconds: LONGEST_SECONDS, isLeased: true });
  const mergeSegments = new ServiceFunction(scope, 'records/index/merge-segments', {
    sendsToItself: true,
    memoryMiB: 1_769,
    timeoutSeconds: LONGEST_SECONDS,
    bindings: {
      RECORDS_TABLE: records.table.allows({ 'INDEX#': ['GetItem', 'PutItem', 'UpdateItem'] }),
      INDEX_BUCKET: objects(records.index, writesIndex),
      MERGES_QUEUE: worksOn(merges.queue),
    },
    ifItFails: 'Searches get slower with every import, until merging works again.',
  });
  merges.workedOnBy(mergeSegments, { maxConcurrency: 2 });
  return merges;
}

function addImportWorkers(scope: Construct, { data: { records } }: Foundations, merges: WorkQueue) {
  const { importConcurrency, importMemoryMiB, workersPerImport } = settingsOf(scope);
  const imports = new WorkQueue(scope, 'Imports', { workerTimeoutSeconds: LONGEST_SECONDS, isLeased: true });
  const importRecords = new ServiceFunction(scope, 'records/import/import-records', {
    sendsToItself: true,
    memoryMiB: importMemoryMiB,
    timeoutSeconds: LONGEST_SECONDS,
    bindings: {
      RECORDS_TABLE: records.table.allows({
        'IMPORT#': ['GetItem', 'PutItem', 'UpdateItem'],
        'IMPORT_ENTRY#': ['PutItem'],
        'IMPORT_PART#': ['GetItem', 'PutItem'],
        'INDEX#': ['GetItem', 'PutItem', 'UpdateItem'],
      }),
      IMPORTS_BUCKET: objects(
        records.imports,
        { actions: ['GetObject'], prefixes: IMPORT_PREFIXES },
        { actions: ['PutObject'], prefixes: [REPORTS] },
      ).andListsKeys(),
      INDEX_BUCKET: objects(records.index, writesIndex),
      IMPORTS_QUEUE: worksOn(imports.queue),
      MERGES_QUEUE: sendsTo(merges.queue),
      WORKERS_PER_IMPORT: setting(workersPerImport),
    },
    ifItFails: 'A file was put into the import bucket and its records cannot be found.',
  });
  imports.workedOnBy(importRecords, { maxConcurrency: Math.max(2, importConcurrency) });
  sendCreatedObjects(scope, {
    bucket: records.imports,
    queue: imports,
    prefixes: IMPORT_PREFIXES,
    description: 'An object in the import bucket starts an import.',
  });

  const wakeImports = new ServiceFunction(scope, 'records/import/wake-imports', {
    isCalledEveryMinute: true,
    timeoutSeconds: 55,
    bindings: {
      RECORDS_TABLE: records.table.allows({ 'IMPORT#': ['UpdateItem'] }, { lists: ['RUNNING_IMPORTS'] }),
      IMPORTS_QUEUE: sendsTo(imports.queue),
    },
    ifItFails: 'An import whose message was lost is not resumed.',
  });
  everyMinute(scope, 'WakeImportsEveryMinute', wakeImports, 'Wakes imports that have fallen silent.');
}

function addManagement(scope: Construct, { data: { accounts, records }, edge: { api } }: Foundations) {
  api.serve(scope, 'records/import/show-imports', {
    bindings: {
      RECORDS_TABLE: records.table.allows(
        { 'IMPORT#': ['GetItem', 'BatchGetItem', 'Query'], 'IMPORT_ENTRY#': ['GetItem'] },
        { lists: ['IMPORTS#'] },
      ),
      IMPORTS_BUCKET: objects(
        records.imports,
        { actions: ['GetObject'], prefixes: [REPORTS] },
        { actions: ['GetObject'], prefixes: IMPORT_PREFIXES, suffix: MAP_SUFFIX },
      ).andListsKeys(),
    },
    ifItFails: 'Operators cannot see how far imports have come; the imports go on.',
  });
  api.serve(scope, 'records/import/upload-imports', {
    bindings: {
      ...accounts.auditing,
      // Links permit what the function is permitted.
      IMPORTS_BUCKET: objects(records.imports, {
        actions: ['PutObject', 'ListMultipartUploadParts'],
        prefixes: IMPORT_PREFIXES,
      }),
    },
    ifItFails: 'Operators cannot upload records in the console; the import command works.',
  });
}

function addRemoval(scope: Construct, { data: { records } }: Foundations) {
  const removeSegments = new ServiceFunction(scope, 'records/index/remove-segments', {
    timeoutSeconds: LONGEST_SECONDS,
    bindings: {
      RECORDS_TABLE: records.table.allows({ 'INDEX#': ['Query'] }),
      INDEX_BUCKET: objects(records.index, removesFromIndex).andListsKeys(),
    },
    ifItFails: 'No caller is affected; segments that nothing reads add to the cost of storage.',
  });
  everyDay(scope, 'Daily', {
    called: removeSegments,
    at: [3, 17],
    description: 'Removes segments that no manifest has named for days.',
  });
}
