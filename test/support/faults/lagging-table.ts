import type { BatchGetItemInput } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { withMiddleware } from './mortal-clients.ts';

const READS = new Set(['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand']);

interface Read extends Partial<BatchGetItemInput> {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
}

/**
 * The table as a replica has it that no write has reached yet: a read finds nothing unless it is strongly consistent.
 * DynamoDB on one machine always answers with the latest state, so it cannot show that such a read is missing. Indexes
 * are read as they are, because nothing can be read from them consistently.
 */
export function laggingTable({ name, client }: Table): Table {
  const lagging =
    (next: (args: { input: Read }) => Promise<unknown>, { commandName = '' }: { commandName?: string }) =>
    async (args: { input: Read }) => {
      if (!READS.has(commandName) || args.input.IndexName !== undefined || isConsistent(args.input)) return next(args);
      return { output: { $metadata: {}, Items: [], Responses: {} }, response: {} };
    };
  return { name, client: withMiddleware(client, 'lagging', lagging) };
}

const isConsistent = ({ ConsistentRead: own, RequestItems: batches = {} }: Read) =>
  own === true || Object.values(batches).some((batch) => batch.ConsistentRead === true);
