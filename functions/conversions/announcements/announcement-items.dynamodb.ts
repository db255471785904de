import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { marshalled } from '#shared/table.dynamodb';
import { ANNOUNCEMENT } from '../table-keys.ts';
import type { Announcement } from './announcement.ts';

/** The stream has read it long before; it is kept so that an announcement made twice stays one. */
const KEPT_DAYS = 60;

export const AnnouncementItem = z.object({
  tenant: z.string(),
  id: z.string(),
  trigger: z.string(),
  recordType: z.string(),
  recordId: z.string(),
  data: z.record(z.string(), z.unknown()),
  time: z.string(),
});

/** A write of the transaction that makes the change: either both exist or neither. The same one again changes nothing. */
export const announcementWrite = (tableName: string, announced: Announcement): TransactWriteItem => ({
  Put: {
    TableName: tableName,
    Item: marshalled({
      pk: `${ANNOUNCEMENT}${announced.tenant}#${announced.id}`,
      sk: 'ANNOUNCEMENT',
      ...announced,
      ttl: Math.floor(Date.parse(announced.time) / 1_000) + KEPT_DAYS * 86_400,
    }),
  },
});
