import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '#shared/table/table.dynamodb';
import { type IntegerIds, integerIds, SEQUENCE } from './integer-ids.ts';

const Counter = z.object({ last: z.int() });

/** Sequences with their counters in a table. A write that the SDK repeats reserves another block, which stays unused. */
export const tableIds = (table: Table, blockMax?: number): IntegerIds =>
  integerIds(async (sequence, count) => {
    const { Attributes: counter = {} } = await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall({ pk: `${SEQUENCE}${sequence}`, sk: 'SEQUENCE' }),
        UpdateExpression: 'ADD #last :count',
        ExpressionAttributeNames: { '#last': 'last' },
        ExpressionAttributeValues: marshall({ ':count': count }),
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    const { last } = Counter.parse(unmarshall(counter));
    return { first: last - count + 1, end: last + 1 };
  }, blockMax);
