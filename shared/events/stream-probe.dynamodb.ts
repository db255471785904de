import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { getItem, type Table } from '#shared/table/table.dynamodb';
import { putItem, updateItem } from '#shared/table/writes.dynamodb';
import { PROBE } from './probe-key.ts';

/**
 * The probe: an item that changes every hour, so that the reader of the stream has something to read. Otherwise no metric
 * distinguishes an hour without changes from an hour in which the stream could not be read.
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
