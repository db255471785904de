/** Worker of the table's stream: announces decided validations and requested reviews on the event bus, in order. */
import * as z from 'zod/mini';
import { readEnv, resource } from '#shared/env';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { streamAnnouncer } from '#shared/events/stream-announcer.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable } from '../environment.ts';
import { validationIn } from '../validations/validation-items.dynamodb.ts';
import { validationEvent } from './validation-event.ts';

export const Env = z.object({ ...imagesTable, EVENT_BUS: resource });
const env = readEnv(Env);

export const handler = streamAnnouncer({
  table: boundTable(env.IMAGES_TABLE),
  bus: eventBus({ name: env.EVENT_BUS, source: 'images' }),
  named: ['validation', 'validations'],
  eventOf: (item) => validationEvent(validationIn(item)),
  now: () => Date.now(),
});
