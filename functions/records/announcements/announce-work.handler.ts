/** The reader of the table's stream: publishes each download and each import of records that has ended. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { streamAnnouncer } from '#shared/events/stream-announcer.dynamodb';
import { importEnded } from '#shared/import/import-ended';
import { jobIn } from '#shared/import/import-items.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { RequestItem } from '../download/download-items.dynamodb.ts';
import { recordsTable } from '../environment.ts';
import { DOWNLOADS } from '../table-keys.ts';
import { downloadEnded } from './download-ended.ts';

export const Env = z.object({
  ...recordsTable,
  EVENT_BUS: resource,
  /** The tenant whose rules fire on imports, which belong to no tenant; if empty, no rules do. */
  IMPORTS_TENANT: z.string(),
});
const env = readEnv(Env);

export const handler = streamAnnouncer({
  table: boundTable(env.RECORDS_TABLE),
  bus: eventBus({ name: env.EVENT_BUS, source: 'records' }),
  named: ['download or import', 'downloads and imports'],
  eventOf: (item) => {
    if (String(item['pk']).startsWith(DOWNLOADS)) return downloadEnded(RequestItem.parse(item));
    return env.IMPORTS_TENANT === '' ? undefined : importEnded(jobIn(item), env.IMPORTS_TENANT);
  },
  now: () => Date.now(),
});
