import type { Construct } from 'constructs';
import type { VALIDATION } from '../../../functions/images/table-keys.ts';
import type { Status } from '../../../functions/images/validations/validation.ts';
import type { VALIDATION_SORT_KEY } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { putsEventsOn } from '../../constructs/bindings.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { TableStream } from '../../constructs/table-stream.ts';
import type { Foundations } from '../../stacks/domain-stack.ts';

/** Tells which records are decided, and which a person must look at. */
export function addAnnouncements(scope: Construct, { data: { images }, edge: { events } }: Foundations): void {
  const [prefix, sortKey]: [typeof VALIDATION, typeof VALIDATION_SORT_KEY] = ['VALIDATION#', 'VALIDATION'];
  const decided: Status[] = ['valid', 'invalid'];
  const written = (image: object) => ({
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { Keys: { pk: { S: [{ prefix }] }, sk: { S: [sortKey] } }, NewImage: image },
  });
  new TableStream(scope, 'Announcements', {
    table: images.table,
    reader: new ServiceFunction(scope, 'images/announcements/announce-validations', {
      isHot: true,
      timeoutSeconds: 60,
      bindings: { EVENT_BUS: putsEventsOn(events) },
      ifItFails: 'Webhooks of decided image validations and of needed reviews come late; the records themselves stand.',
    }),
    filters: [
      written({ status: { S: decided } }),
      // It stands in this list while a person must look at it.
      written({ reviewList: { S: [{ exists: true }] } }),
    ],
    isOnlyWitness: true,
  });
}
