import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import { queryItems } from '#shared/table/queries.dynamodb';
import type { Item, Key, Table } from '#shared/table/table.dynamodb';
import { EXISTS, putWrite, updateItem } from '#shared/table/writes.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { currentOrigin } from '#shared/telemetry/origin';
import { ANNOUNCEMENT, UNANNOUNCED } from '../../table-keys.ts';
import type { Announcement } from './announcement.ts';

/** The retention of an announcement, far longer than the stream needs, so that a repeated announcement is recognised. */
const RETENTION_DAYS = 60;

const AnnouncementItem = z.object({
  tenant: z.string(),
  id: z.string(),
  trigger: z.string(),
  recordType: z.string(),
  recordId: z.string(),
  data: z.record(z.string(), z.unknown()),
  time: z.string(),
  origin: z.string().optional(),
});
export type StoredAnnouncement = z.output<typeof AnnouncementItem>;

/**
 * Parses the announcement of an item. One that cannot be read, written by another version of this service, must not
 * block those behind it: it counts as a fault and is left to that version's own reader.
 */
export function announcementIn(item: Item): StoredAnnouncement | undefined {
  const read = AnnouncementItem.safeParse(item);
  if (read.success) return read.data;
  log.error('unreadable announcement', { error: read.error, pk: item['pk'] });
  countFault();
  return undefined;
}

const keyOf = ({ tenant, id }: Pick<StoredAnnouncement, 'tenant' | 'id'>): Key => ({
  pk: `${ANNOUNCEMENT}${tenant}#${id}`,
  sk: 'ANNOUNCEMENT',
});

/**
 * The write for the transaction that makes the change: either both are stored or neither. The announcement stays in a
 * list until it is announced. A repeated one is announced again under the same id.
 */
export const announcementWrite = (tableName: string, announced: Announcement): TransactWriteItem =>
  putWrite(tableName, {
    ...keyOf(announced),
    ...announced,
    ...currentOrigin(),
    list: UNANNOUNCED,
    position: `${announced.time}#${announced.tenant}#${announced.id}`,
    ttl: Math.floor(Date.parse(announced.time) / 1_000) + RETENTION_DAYS * 86_400,
  });

/** Removes the announcement from the list of pending ones. */
export async function markAnnounced(table: Table, announced: StoredAnnouncement): Promise<void> {
  await updateItem(table, keyOf(announced), { change: 'REMOVE #list, #position', ...EXISTS });
}

/** Pending announcements older than this time, oldest first, to the end of the list. */
export async function* unannounced(table: Table, before: number): AsyncGenerator<StoredAnnouncement> {
  const items = queryItems(table, {
    index: 'Listing',
    where: '#list = :list AND #position < :before',
    values: { list: UNANNOUNCED, before: isoTime(before) },
  });
  for await (const item of items) {
    const announced = announcementIn(item);
    if (announced) yield announced;
  }
}
