import { QueryCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type Item, type Key, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import { ANNOUNCEMENT, UNANNOUNCED } from '../table-keys.ts';
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

export const announcementIn = (item: Item): StoredAnnouncement => AnnouncementItem.parse(item);

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
    for (const item of page.Items ?? []) yield announcementIn(unmarshall(item));
    start = page.LastEvaluatedKey;
  } while (start);
}
