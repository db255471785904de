/** Lists the validations that wait for another one's verdict, in the partition of the awaited validation. */
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { queryItems } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { putItem } from '#shared/table/writes.dynamodb';
import { validationKey } from './validation-items.dynamodb.ts';

const PREFIX = 'WAITING#';
const WaitingItem = z.object({ waiting: z.string() });

/** @param until the entry expires after this time */
export async function addWaiting(
  table: Table,
  { tenant, id }: TenantKey,
  { awaited, until }: { readonly awaited: readonly string[]; readonly until: string },
): Promise<void> {
  const ttl = Math.ceil(Date.parse(until) / 1_000) + 86_400;
  const entry = { sk: `${PREFIX}${id}`, waiting: id, ttl };
  await Promise.all(awaited.map((other) => putItem(table, { ...validationKey({ tenant, id: other }), ...entry })));
}

/** The validations that wait for this one, including all that were added before the call. */
export async function waitingFor(table: Table, key: TenantKey): Promise<string[]> {
  const query = {
    where: 'pk = :pk AND begins_with(sk, :prefix)',
    values: { pk: validationKey(key).pk, prefix: PREFIX },
  };
  const items = await Array.fromAsync(queryItems(table, query));
  return items.map((item) => WaitingItem.parse(item).waiting);
}
