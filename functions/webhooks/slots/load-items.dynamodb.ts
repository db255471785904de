import type { Item, Key, Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import type { ConfigurationKey } from '../runs/run.ts';
import { LOAD, LOAD_ITEM } from '../table-keys.ts';
import type { Load, Slot } from './admission.ts';

export const loadKey = ({ tenant, configurationId }: ConfigurationKey): Key => ({
  pk: `${LOAD}${tenant}#${configurationId}`,
  sk: LOAD_ITEM,
});

/** The time after which the load of an unused endpoint expires; runs are parked for three days at most. */
const LOAD_TTL_SECONDS = 4 * 86_400;

export const update = (table: Table, key: ConfigurationKey, change: Parameters<typeof updateItem>[2]) =>
  updateItem(table, loadKey(key), change);

export const slotName = (number: number) => `slot${number}`;
export const expiry = (millis: number) => Math.floor(millis / 1000) + LOAD_TTL_SECONDS;

/** Returns or reserves a slot, if this worker still holds it: after its lease another worker may hold it. */
export async function writeSlot(
  table: Table,
  key: ConfigurationKey,
  {
    slot: { number, until },
    reservedUntil,
    more: { removes = [], adds },
  }: {
    slot: Slot;
    reservedUntil: number | undefined;
    more: { removes?: readonly string[]; adds?: string };
  },
): Promise<Load | undefined> {
  const removed = [...(reservedUntil === undefined ? ['#slot'] : []), ...removes];
  const write = await update(table, key, {
    change: [
      reservedUntil === undefined ? '' : 'SET #slot = :kept',
      removed.length > 0 ? `REMOVE ${removed.join(', ')}` : '',
      adds ? `ADD ${adds} :one` : '',
    ].join(' '),
    condition: '#slot = :until',
    names: { slot: slotName(number) },
    values: { until, kept: reservedUntil, ...(adds && { one: 1 }) },
    returns: 'ALL_NEW',
  });
  return write.done ? loadIn(write.item) : undefined;
}

export function loadIn(item: Item): Load {
  const slots = Object.entries(item).flatMap(([name, value]): [number, number][] => {
    const number = /^slot(\d+)$/.exec(name)?.[1];
    return number === undefined ? [] : [[Number(number), Number(value)]];
  });
  const { timeouts = 0, silentFrom, parkedAt } = item;
  return {
    slots: new Map(slots),
    timeouts,
    isSilent: silentFrom !== undefined,
    ...(parkedAt !== undefined && { parkedAt }),
  };
}
