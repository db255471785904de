/** Schedule, every hour: counts a fault if the reader of the stream has not seen the change of an hour ago. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { announcerProbe } from '#shared/events/stream-announcer.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { recordsTable } from '../environment.ts';

export const Env = z.object(recordsTable);

export const handler = announcerProbe(boundTable(readEnv(Env).RECORDS_TABLE), 'downloads and imports', () =>
  Date.now(),
);
