import { QueryCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { countFault } from '#shared/faults';
import { log } from '#shared/log';
import { type Item, type Key, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import { ANNOUNCEMENT, UNANNOUNCED } from '../../table-keys.ts';
import type { Announcement } from './announcement.ts';

/** The stream has read it long before; it is kept so that an announcement made twice stays one. */
const KEPT_DAYS = 60;

const AnnouncementItem = z.object({
  tenant: z.string(),
  id: z.string(),
  trigger: z.string(),
  recordType: z.string(),
  recordId: z.string(),
  data: z.record(z.string(), z.unknown()),
  time: z.string(),
});
export type StoredAnnouncement = z.output<typeof AnnouncementItem>;

/**
 * The announcement that an item holds. One that cannot be read, written by another version of this service, must not hold
 * up those behind it: it is a fault, and is left to that version's own reader.
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
 * A write of the transaction that makes the change: either both exist or neither. It stands in a list until it has been
 * announced. The same one again is announced once more, under the same id.
 */
export const announcementWrite = (tableName: string, announced: Announcement): TransactWriteItem => ({
  Put: {
    TableName: tableName,
    Item: marshalled({
      ...keyOf(announced),
      ...announced,
      list: UNANNOUNCED,
      position: `${announced.time}#${announced.tenant}#${announced.id}`,
      ttl: Math.floor(Date.parse(announced.time) / 1_000) + KEPT_DAYS * 86_400,
    }),
  },
});

/** Takes it from the list of those that wait. */
export async function markAnnounced({ client, name }: Table, announced: StoredAnnouncement): Promise<void> {
  const update = new UpdateItemCommand({
    TableName: name,
    Key: marshall(keyOf(announced)),
    UpdateExpression: 'REMOVE #list, #position',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#list': 'list', '#position': 'position' },
  });
  await whenAllowed(client.send(update));
}

/** Announcements made before this time that still wait, the oldest first, followed to the end of the list. */
export async function* unannounced({ client, name }: Table, before: number): AsyncGenerator<StoredAnnouncement> {
  let start: QueryCommand['input']['ExclusiveStartKey'];
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: name,
        IndexName: 'Listing',
        KeyConditionExpression: '#list = :list AND #position < :before',
        ExpressionAttributeNames: { '#list': 'list', '#position': 'position' },
        ExpressionAttributeValues: marshall({ ':list': UNANNOUNCED, ':before': isoTime(before) }),
        ExclusiveStartKey: start,
      }),
    );
    for (const item of page.Items ?? []) {
      const announced = announcementIn(unmarshall(item));
      if (announced) yield announced;
    }
    start = page.LastEvaluatedKey;
  } while (start);
}
