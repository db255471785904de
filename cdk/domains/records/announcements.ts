import type { Construct } from 'constructs';
import type { PROBE } from '#shared/events/probe-key';
import type { ImportJob } from '#shared/import/import-job';
import type { IMPORT } from '#shared/import/table-keys';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import type { DOWNLOADS } from '../../../functions/records/table-keys.ts';
import { announcesOn, setting } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableStream } from '../../constructs/functions/table-stream.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Tells which downloads and imports have ended. */
export function addAnnouncements(scope: Construct, { data: { records }, edge: { events } }: Foundations): void {
  const [downloads, imports, probe]: [typeof DOWNLOADS, typeof IMPORT, typeof PROBE] = [
    'DOWNLOADS#',
    'IMPORT#',
    'PROBE',
  ];
  const downloadEnds: DownloadRequest['status'][] = ['COMPLETED'];
  const importEnds: ImportJob['status'][] = ['COMPLETED', 'FAILED'];
  const ended = (prefix: string, status: readonly string[]) => ({
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { Keys: { pk: { S: [{ prefix }] } }, NewImage: { status: { S: status } } },
  });
  new TableStream(scope, 'Announcements', {
    table: records.table,
    reader: new ServiceFunction(scope, 'records/announcements/announce-work', {
      timeoutSeconds: 60,
      bindings: {
        RECORDS_TABLE: records.table.allows({ PROBE: ['UpdateItem'] }),
        EVENT_BUS: announcesOn(events, 'records'),
        IMPORTS_TENANT: setting(settingsOf(scope).importsTenant),
      },
      ifItFails: 'Webhooks of downloads and imports that have ended come late; the files themselves are there.',
    }),
    filters: [
      ended(downloads, downloadEnds),
      ended(imports, importEnds),
      // Sent, not yet seen.
      { dynamodb: { Keys: { pk: { S: [probe] } }, NewImage: { seenAt: { S: [{ exists: false }] } } } },
    ],
    isOnlyWitness: true,
  });
  const probeAnnouncements = new ServiceFunction(scope, 'records/announcements/probe-announcements', {
    bindings: { RECORDS_TABLE: records.table.allows({ PROBE: ['GetItem', 'PutItem'] }) },
    ifItFails: 'Nobody notices when the ends of downloads and imports are not announced.',
  });
  everyHour(scope, 'ProbeEveryHour', probeAnnouncements, 'Looks whether the stream of downloads and imports is read.');
}
