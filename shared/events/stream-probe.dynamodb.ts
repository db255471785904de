import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { getItem, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { PROBE } from './stream-probe.ts';

/**
 * A change that is made for the reader of the stream to notice. Nothing else shows that it reads at all: an hour without
 * changes and an hour in which the stream cannot be read look the same to every metric.
 */
const key = { pk: PROBE, sk: 'PROBE' };

const Probe = z.object({ pk: z.literal(PROBE), sentAt: z.string(), seenAt: z.optional(z.string()) });

/** Returns when the probe of this item was sent; undefined for any other item. */
export const probeIn = (item: unknown): string | undefined => z.safeParse(Probe, item).data?.sentAt;

/** Returns whether the last probe was seen, or none was sent yet. */
export async function wasSeen(table: Table): Promise<boolean> {
  const item = await getItem(table, key);
  return !item || Probe.parse(item).seenAt !== undefined;
}

export async function sendProbe({ client, name }: Table, now: number): Promise<void> {
  await client.send(new PutItemCommand({ TableName: name, Item: marshalled({ ...key, sentAt: isoTime(now) }) }));
}

/** Notes that the reader has seen this probe, if no newer one was sent. */
export async function noteSeen({ client, name }: Table, sentAt: string, now: number): Promise<void> {
  const update = new UpdateItemCommand({
    TableName: name,
    Key: marshalled(key),
    UpdateExpression: 'SET seenAt = :now',
    ConditionExpression: 'sentAt = :sentAt',
    ExpressionAttributeValues: marshalled({ ':now': isoTime(now), ':sentAt': sentAt }),
  });
  await whenAllowed(client.send(update));
}
