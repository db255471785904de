import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { getItem, putNewItem, type Table } from '#shared/table/table.dynamodb';
import { DEVICE_KEY } from '../table-keys.ts';
import { type DeviceKeys, PERIOD_MILLIS } from './device-cookie.ts';

const Item = z.object({ key: z.string() });
const KEY_BYTES = 32;

/**
 * The keys in the console's table. Each is created on demand, by only one of several concurrent requests, and expires.
 */
export function deviceKeys(table: Table): DeviceKeys {
  const cached = new Map<number, Uint8Array>();

  async function keyOf(period: number): Promise<Uint8Array> {
    const place = { pk: `${DEVICE_KEY}${period}`, sk: 'DEVICE_KEY' };
    const stored = await getItem(table, place);
    if (stored) return Buffer.from(Item.parse(stored).key, 'base64url');
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const ttl = Math.ceil(((period + 2) * PERIOD_MILLIS) / 1_000) + 86_400;
    return (await putNewItem(table, { ...place, key, ttl })) ? Buffer.from(key, 'base64url') : keyOf(period);
  }

  return {
    async of(period) {
      const key = cached.get(period) ?? (await keyOf(period));
      cached.set(period, key);
      return key;
    },
  };
}
