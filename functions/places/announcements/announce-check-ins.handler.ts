/** Worker of the table's stream: announces each check-in, in order, and each finished import of places. */
import * as z from 'zod/mini';
import { readEnv, resource } from '#shared/env';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { streamAnnouncer } from '#shared/events/stream-announcer.dynamodb';
import { importEnded } from '#shared/import/import-ended';
import { jobIn } from '#shared/import/import-items.dynamodb';
import { IMPORT } from '#shared/import/table-keys';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { tenantOf } from '../import/place-part.ts';
import { checkInEvent } from './check-in-event.ts';

export const Env = z.object({ ...placesTable, EVENT_BUS: resource });
const env = readEnv(Env);

export const handler = streamAnnouncer({
  table: boundTable(env.PLACES_TABLE),
  bus: eventBus({ name: env.EVENT_BUS, source: 'places' }),
  named: ['check-in', 'check-ins'],
  eventOf: (item) => {
    if (!String(item['pk']).startsWith(IMPORT)) return checkInEvent(item);
    const job = jobIn(item);
    return importEnded(job, tenantOf(job.object));
  },
  now: () => Date.now(),
});
