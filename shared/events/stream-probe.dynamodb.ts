import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { getItem, type Table } from '#shared/table/table.dynamodb';
import { putItem, updateItem } from '#shared/table/writes.dynamodb';
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

export async function sendProbe(table: Table, now: number): Promise<void> {
  await putItem(table, { ...key, sentAt: isoTime(now) });
}

/** Notes that the reader has seen this probe, if no newer one was sent. */
export async function noteSeen(table: Table, sentAt: string, now: number): Promise<void> {
  await updateItem(table, key, {
    change: 'SET seenAt = :now',
    condition: 'sentAt = :sentAt',
    values: { now: isoTime(now), sentAt },
  });
}
