import { createServer, type Socket } from 'node:net';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callLimits } from '../../../shared/quotas/call-limits.ts';
import {
  dynamoDbClient,
  getItem,
  type Item,
  marshalled,
  passingItems,
  type Table,
  transact,
} from '../../../shared/table/table.dynamodb.ts';
import { putItem } from '../../../shared/table/writes.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'transactions');
});
afterAll(() => endpoint.close());

/** The table of a client whose first transactions are cancelled for these reasons. */
function cancelling(...reasons: string[]) {
  const client = dynamoDbClient(endpoint.clientOptions());
  let calls = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      calls += 1;
      const code = reasons.shift();
      if (code === undefined) return next(args);
      throw new TransactionCanceledException({
        message: 'cancelled',
        $metadata: {},
        CancellationReasons: [{ Code: 'None' }, { Code: code }],
      });
    },
    { step: 'initialize' },
  );
  return { calls: () => calls, table: { name: table.name, client } };
}

const writing = (pk: string) => [
  { Put: { TableName: 'transactions', Item: marshalled({ pk, sk: 'one' }) } },
  { Put: { TableName: 'transactions', Item: marshalled({ pk, sk: 'two' }) } },
];

describe('the items of a list that pass', () => {
  it('are on its pages in order, each once, however few pass and however few are read at a time', async () => {
    const names = Array.from({ length: 23 }, (_, n) => String(n).padStart(2, '0'));
    for (const pk of names) await putItem(table, { pk, sk: 'one', list: 'numbers', position: pk });
    const reading = { limit: fc.integer({ min: 1, max: 9 }), perRead: fc.integer({ min: 1, max: 9 }) };
    const listing = fc.record({ passing: fc.subarray(names), readMax: fc.integer({ min: 1, max: 30 }), ...reading });
    await fc.assert(
      fc.asyncProperty(listing, async ({ passing, limit, readMax, perRead }) => {
        const passes = ({ pk }: Item) => passing.includes(String(pk));
        const listed: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await passingItems(
            table,
            'numbers',
            { limit, ...(cursor && { cursor }) },
            { passes, readMax, perRead },
          );
          expect(page.items.length).toBeLessThanOrEqual(limit);
          listed.push(...page.items.map(({ pk }) => String(pk)));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(listed).toEqual(passing.toReversed());
      }),
      { numRuns: 30 },
    );
  });
});

describe('a transaction', () => {
  it('that is cancelled for a conflict or a throttle is tried again', async () => {
    const { calls, table: busy } = cancelling(
      'ThrottlingError',
      'ProvisionedThroughputExceeded',
      'TransactionConflict',
    );
    expect(await transact(busy, writing('busy'))).toEqual({ done: true });
    expect(calls()).toBe(4);
    expect(await getItem(table, { pk: 'busy', sk: 'two' })).toBeDefined();
  });

  it('that is cancelled for another reason fails at once', async () => {
    const { calls, table: refusing } = cancelling('ValidationError');
    await expect(transact(refusing, writing('refused'))).rejects.toThrow('cancelled');
    expect(calls()).toBe(1);
  });
});

it('a call without an answer ends with an error, after it was tried again', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const client = dynamoDbClient({
    ...endpoint.clientOptions(),
    endpoint: `http://127.0.0.1:${address.port}`,
    requestHandler: callLimits(200),
    maxAttempts: 2,
  });
  await expect(getItem({ name: 'any', client }, { pk: 'any', sk: 'any' })).rejects.toThrow('200 ms');
  expect(sockets).toHaveLength(2);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
