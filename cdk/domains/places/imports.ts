import type { Construct } from 'constructs';
import { MAP_SUFFIX, REPORTS } from '#shared/import/import-source';
import { objects, sendsTo, setting, worksOn } from '../../constructs/functions/bindings.ts';
import { sendCreatedObjects } from '../../constructs/functions/object-created.ts';
import { everyMinute } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

const LONGEST_SECONDS = 900;

/** Imports objects of the bucket of place imports into the table. */
export function addImports(scope: Construct, on: Foundations): void {
  addWorkers(scope, on);
  addManagement(scope, on);
}

function addWorkers(scope: Construct, { data: { places } }: Foundations): void {
  const imports = new WorkQueue(scope, 'PlaceImports', { workerTimeoutSeconds: LONGEST_SECONDS, isLeased: true });
  const importPlaces = new ServiceFunction(scope, 'places/import/import-places', {
    sendsToItself: true,
    memoryMiB: 1_024,
    timeoutSeconds: LONGEST_SECONDS,
    bindings: {
      PLACES_TABLE: places.table.allows({
        'IMPORT#': ['GetItem', 'PutItem', 'UpdateItem'],
        'IMPORT_ENTRY#': ['PutItem'],
        'PLACE#': ['PutItem', 'UpdateItem'],
        'SEQUENCE#': ['UpdateItem'],
        'QUOTA#': ['UpdateItem'],
      }),
      IMPORTS_BUCKET: objects(
        places.imports,
        { actions: ['GetObject'] },
        { actions: ['PutObject'], prefixes: [REPORTS] },
      ).andListsKeys(),
      IMPORTS_QUEUE: worksOn(imports.queue),
      IMPORTS_PER_DAY: setting(settingsOf(scope).placeImportsPerDay),
    },
    ifItFails: 'A file of places was put into the import bucket, and customers do not see its places.',
  });
  imports.workedOnBy(importPlaces, { maxConcurrency: 2 });
  sendCreatedObjects(scope, {
    bucket: places.imports,
    queue: imports,
    description: 'An object in the bucket of place imports starts an import.',
  });

  const wakeImports = new ServiceFunction(scope, 'places/import/wake-imports', {
    isCalledEveryMinute: true,
    timeoutSeconds: 55,
    bindings: {
      PLACES_TABLE: places.table.allows({ 'IMPORT#': ['UpdateItem'] }, { lists: ['RUNNING_IMPORTS'] }),
      IMPORTS_QUEUE: sendsTo(imports.queue),
    },
    ifItFails: 'An import of places whose message was lost is not resumed.',
  });
  everyMinute(scope, 'WakeImportsEveryMinute', wakeImports, 'Wakes imports of places that have fallen silent.');
}

/** The routes that show imports, and those that take uploads. */
function addManagement(scope: Construct, { data: { accounts, places }, edge: { api } }: Foundations): void {
  api.serve(scope, 'places/import/show-imports', {
    bindings: {
      PLACES_TABLE: places.table.allows(
        { 'IMPORT#': ['GetItem', 'BatchGetItem', 'Query'], 'IMPORT_ENTRY#': ['GetItem'] },
        { lists: ['IMPORTS#'] },
      ),
      IMPORTS_BUCKET: objects(
        places.imports,
        { actions: ['GetObject'], prefixes: [REPORTS] },
        { actions: ['GetObject'], suffix: MAP_SUFFIX },
      ).andListsKeys(),
    },
    ifItFails: 'Tenants cannot see how far imports of their places have come; the imports go on.',
  });
  api.serve(scope, 'places/import/upload-imports', {
    bindings: {
      ...accounts.auditing,
      // Links permit what the function is permitted.
      IMPORTS_BUCKET: objects(places.imports, {
        actions: ['PutObject', 'ListMultipartUploadParts'],
      }),
    },
    ifItFails: 'Tenants cannot upload places in the console; the import command works.',
  });
}
