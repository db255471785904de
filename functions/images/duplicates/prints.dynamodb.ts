import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItem, type Key, marshalled, type Table } from '#shared/table.dynamodb';
import { PRINT } from '../table-keys.ts';

/** What is awarded once for all records of a tenant: the bytes of an image, or a purchase. */
export interface Print {
  readonly kind: 'bytes' | 'content';
  /** In hex. */
  readonly digest: string;
  /** Of the purchase. */
  readonly transaction?: string | undefined;
}

const PrintItem = z.object({ validation: z.string(), transaction: z.optional(z.string()) });

const printKey = (tenant: string, { kind, digest }: Pick<Print, 'kind' | 'digest'>): Key => ({
  pk: `${PRINT}${tenant}#${kind}#${digest}`,
  sk: 'PRINT',
});

/** As a part of a transaction: refused if another record has it. */
export const printWrite = ({ name }: Table, { tenant, id }: TenantKey, print: Print): TransactWriteItem => ({
  Put: {
    TableName: name,
    Item: marshalled({ ...printKey(tenant, print), validation: id, transaction: print.transaction }),
    ConditionExpression: 'attribute_not_exists(pk) OR validation = :id',
    ExpressionAttributeValues: marshalled({ ':id': id }),
  },
});

/** The valid record that has it, if any. */
export async function ownerOf(table: Table, tenant: string, print: Pick<Print, 'kind' | 'digest'>) {
  const item = await getItem(table, printKey(tenant, print));
  return item && PrintItem.parse(item);
}
