/** Schedule, every hour: erases what is held of customers whom their tenant has deleted. */
import type { ScheduledEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { erasesOpenIn } from '#shared/erasures/erases-open.dynamodb';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table.dynamodb';
import { placesTable } from '../environment.ts';
import { erasePlacesOf } from './erased-customer.dynamodb.ts';

export const Env = z.object({ ...placesTable, ACCOUNTS_TABLE: resource });
const env = readEnv(Env);
const table = boundTable(env.PLACES_TABLE);
const erase = erasesOpenIn(boundTable(env.ACCOUNTS_TABLE), 'places', ({ tenant, customer: id }) =>
  erasePlacesOf(table, { tenant, id }),
);

export const handler = invocation(async (_event: ScheduledEvent) => erase(Date.now()));
