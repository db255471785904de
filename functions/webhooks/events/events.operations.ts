import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { NewEvent } from './event.ts';

const ReceivedEvent = named(
  'ReceivedEvent',
  z.object({ runIds: z.array(z.string()).meta({ description: 'The runs that the event makes.' }) }),
);

/** Events from outside. */
export const eventOperations = operations({
  sendEvent: {
    route: 'POST /manage/v1/events',
    summary: 'Send an event',
    description: 'Makes a run for every rule on its trigger. The same `id` again makes no second run.',
    body: NewEvent,
    example: {
      id: 'event-1',
      module: 'dsar',
      trigger: 'DSAR starts',
      recordType: 'Request',
      recordId: 'r-1',
      data: { status: 'open' },
    },
    answers: { 202: ReceivedEvent },
    errors: { 403: ['module-reserved', 'id-reserved'], 409: ['api-integration-off'], 429: ['quota-exceeded'] },
  },
});
