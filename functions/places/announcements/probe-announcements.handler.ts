/** Runs hourly: reports a fault if the stream's reader has not processed a change that is an hour old. */
import * as z from 'zod/mini';
import { readEnv } from '#shared/env';
import { announcerProbe } from '#shared/events/stream-announcer.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';

export const Env = z.object(placesTable);

export const handler = announcerProbe(boundTable(readEnv(Env).PLACES_TABLE), 'check-ins', () => Date.now());
