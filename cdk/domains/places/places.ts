import { Construct } from 'constructs';
import type { PROBE } from '#shared/events/probe-key';
import type { ImportJob } from '#shared/import/import-job';
import type { IMPORT } from '#shared/import/table-keys';
import type { LAST_CHECK_IN } from '../../../functions/places/check-in-rules/standing-items.dynamodb.ts';
import type { STANDING } from '../../../functions/places/table-keys.ts';
import { announcesOn, setting } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableStream } from '../../constructs/functions/table-stream.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { addErasure } from './erasure.ts';
import { addImports } from './imports.ts';

/** Places around customers, and check-ins at them. */
export class Places extends Construct {
  constructor(scope: Construct, id: string, on: Foundations) {
    super(scope, id);
    addLoyaltyRoutes(this, on);
    addManagement(this, on);
    addAnnouncements(this, on);
    addImports(this, on);
    addErasure(this, on);
  }
}

function addLoyaltyRoutes(scope: Construct, { data, edge: { api } }: Foundations) {
  const { table } = data.places;
  const { accounts } = data;
  const identifies = {
    'ACCOUNT#': ['GetItem'],
    'APP#': ['GetItem'],
    'CUSTOMER#': ['GetItem'],
    'EXTERNAL#': ['GetItem'],
  } as const;
  const secrets = accounts.loyaltyCallers;
  api.serve(scope, 'places/listing/list-places', {
    isHot: true,
    memoryMiB: 1_024,
    bindings: {
      ...secrets,
      ACCOUNTS_TABLE: accounts.table.allows(identifies),
      PLACES_TABLE: table.allows(
        { 'STANDING#': ['Query', 'BatchGetItem'], 'PLACE#': ['BatchGetItem'], 'LISTING#': ['PutItem'] },
        { lists: ['AD_UNITS#'], indexes: { Cells: 'CELL#' } },
      ),
    },
    ifItFails: 'Customers see no places, and cannot check in once their last list is ten minutes old.',
  });
  api.serve(scope, 'places/check-ins/check-ins', {
    isHot: true,
    bindings: {
      ...secrets,
      ACCOUNTS_TABLE: accounts.table.allows({ ...identifies, 'POINTS#': ['PutItem', 'UpdateItem'] }),
      PLACES_TABLE: table.allows(
        {
          'PLACE#': ['BatchGetItem'],
          'LISTING#': ['BatchGetItem'],
          'STANDING#': ['BatchGetItem', 'PutItem', 'UpdateItem'],
        },
        { lists: ['AD_UNITS#'] },
      ),
    },
    ifItFails: 'Customers cannot check in.',
  });
}

function addManagement(scope: Construct, { data: { accounts, places }, edge: { api } }: Foundations) {
  api.serve(scope, 'places/check-ins/customer-check-ins', {
    bindings: {
      ACCOUNTS_TABLE: accounts.table.allows(
        { 'CUSTOMER#': ['GetItem'], 'POINTS#': ['Query'] },
        { lists: ['CHECK_INS#'] },
      ),
      PLACES_TABLE: places.table.allows({ 'PLACE#': ['BatchGetItem'] }),
    },
    ifItFails: 'Tenants cannot see who has checked in where; check-ins go on.',
  });
  api.serve(scope, 'places/catalog/places', {
    bindings: {
      ...accounts.auditing,
      PLACES_TABLE: places.table.allows(
        {
          'PLACE#': ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
          'SEQUENCE#': ['UpdateItem'],
          'QUOTA#': ['UpdateItem'],
        },
        { lists: ['PLACES#'], indexes: { Cells: 'CELL#' } },
      ),
      NEW_PLACES_PER_DAY: setting(settingsOf(scope).newPlacesPerDay),
    },
    ifItFails: 'Tenants cannot see or change their places one by one; customers still can.',
  });
  api.serve(scope, 'places/ad-units/ad-units', {
    bindings: {
      ...accounts.auditing,
      PLACES_TABLE: places.table.allows(
        { 'AD_UNIT#': ['GetItem', 'PutItem', 'DeleteItem'], 'PLACE#': ['BatchGetItem'], 'SEQUENCE#': ['UpdateItem'] },
        { lists: ['AD_UNITS#'] },
      ),
    },
    ifItFails: 'Tenants cannot see or change their ad units; those that run go on.',
  });
}

function addAnnouncements(scope: Construct, { data: { places }, edge: { events } }: Foundations) {
  const [standing, lastCheckIn, probe]: [typeof STANDING, typeof LAST_CHECK_IN, typeof PROBE] = [
    'STANDING#',
    'VISIT#',
    'PROBE',
  ];
  const imports: typeof IMPORT = 'IMPORT#';
  const importEnds: ImportJob['status'][] = ['COMPLETED', 'FAILED'];
  new TableStream(scope, 'Announcements', {
    table: places.table,
    reader: new ServiceFunction(scope, 'places/announcements/announce-check-ins', {
      isHot: true,
      timeoutSeconds: 60,
      bindings: {
        PLACES_TABLE: places.table.allows({ PROBE: ['UpdateItem'] }),
        EVENT_BUS: announcesOn(events, 'places'),
      },
      ifItFails: 'Webhooks of check-ins and imports come late; the check-ins and places themselves stand.',
    }),
    filters: [
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { pk: { S: [{ prefix: standing }] }, sk: { S: [{ prefix: lastCheckIn }] } } },
      },
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { pk: { S: [{ prefix: imports }] } }, NewImage: { status: { S: importEnds } } },
      },
      // Sent, not yet seen.
      { dynamodb: { Keys: { pk: { S: [probe] } }, NewImage: { seenAt: { S: [{ exists: false }] } } } },
    ],
    isOnlyWitness: true,
  });
  const probeAnnouncements = new ServiceFunction(scope, 'places/announcements/probe-announcements', {
    bindings: { PLACES_TABLE: places.table.allows({ PROBE: ['GetItem', 'PutItem'] }) },
    ifItFails: 'Nobody notices when check-ins are not announced.',
  });
  everyHour(scope, 'ProbeEveryHour', probeAnnouncements, 'Looks whether the stream of check-ins is read.');
}
