/** Schedule, every hour: a fault if the reader of the stream has not seen what was changed an hour ago. */
import * as z from 'zod/mini';
import { readEnv } from '#shared/env';
import { announcerProbe } from '#shared/events/stream-announcer.dynamodb';
import { boundTable } from '#shared/table.dynamodb';
import { placesTable } from '../environment.ts';

export const Env = z.object(placesTable);

export const handler = announcerProbe(boundTable(readEnv(Env).PLACES_TABLE), 'check-ins', () => Date.now());
