import type { Construct } from 'constructs';
import type { PROBE } from '#shared/events/probe-key';
import type { VALIDATION } from '../../../functions/images/table-keys.ts';
import type { Status } from '../../../functions/images/validations/validation.ts';
import type { VALIDATION_SORT_KEY } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { announcesOn } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableStream } from '../../constructs/functions/table-stream.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Tells which records are decided, and which a person must look at. */
export function addAnnouncements(scope: Construct, { data: { images }, edge: { events } }: Foundations): void {
  const [prefix, sortKey]: [typeof VALIDATION, typeof VALIDATION_SORT_KEY] = ['VALIDATION#', 'VALIDATION'];
  const probe: typeof PROBE = 'PROBE';
  const decided: Status[] = ['valid', 'invalid'];
  const recordWith = (image: object) => ({
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { Keys: { pk: { S: [{ prefix }] }, sk: { S: [sortKey] } }, NewImage: image },
  });
  new TableStream(scope, 'Announcements', {
    table: images.table,
    reader: new ServiceFunction(scope, 'images/announcements/announce-validations', {
      isHot: true,
      timeoutSeconds: 60,
      bindings: {
        IMAGES_TABLE: images.table.allows({ PROBE: ['UpdateItem'] }),
        EVENT_BUS: announcesOn(events, 'images'),
      },
      ifItFails: 'Webhooks of decided image validations and of needed reviews come late; the records themselves stand.',
    }),
    filters: [
      recordWith({ status: { S: decided } }),
      // The list of validations that a person must review.
      recordWith({ reviewList: { S: [{ exists: true }] } }),
      // Sent, not yet seen.
      { dynamodb: { Keys: { pk: { S: [probe] } }, NewImage: { seenAt: { S: [{ exists: false }] } } } },
    ],
    isOnlyWitness: true,
  });
  const probeAnnouncements = new ServiceFunction(scope, 'images/announcements/probe-announcements', {
    bindings: { IMAGES_TABLE: images.table.allows({ PROBE: ['GetItem', 'PutItem'] }) },
    ifItFails: 'Nobody notices when image validations are not announced.',
  });
  everyHour(scope, 'ProbeEveryHour', probeAnnouncements, 'Looks whether the stream of image validations is read.');
}
