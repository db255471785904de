/** SQS: counts conversions that were admitted while the table did not answer, and gives back those that failed. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { conversionsTable } from '../../environment.ts';
import { LateUsage } from '../metering/late-usage.ts';
import { recordLateUsage } from './record-late-usage.dynamodb.ts';

export const Env = z.object(conversionsTable);
const table = boundTable(readEnv(Env).CONVERSIONS_TABLE);

export const handler = queueHandler(LateUsage, ({ message }) => recordLateUsage(table, message, Date.now()), {
  logged: ({ id }) => ({ usage: id }),
});
