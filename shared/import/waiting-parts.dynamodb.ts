import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { getItem, type Key, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { expiry, Position } from './import-items.dynamodb.ts';
import type { ImportJob } from './import-job.ts';
import type { PartClaim } from './part-claim.ts';
import { IMPORT_PART } from './table-keys.ts';
import type { WaitingPart, WaitingParts } from './waiting-part.ts';

const WaitingItem = z.union([
  z.object({
    outcome: z.object({
      accepted: z.number(),
      deleted: z.number(),
      rejected: z.number(),
      checkpoint: Position,
      columns: z.array(z.string()).optional(),
      last: z.boolean(),
      failure: z.string().optional(),
    }),
    report: z.string().optional(),
    content: z.unknown().optional(),
  }),
  z.object({ unreadable: z.string() }),
]);

const SentItem = z.object({ byte: z.number(), chain: z.string() });

/** The parts of imports that wait for their turn, in the table of the imports. */
export const waitingParts = (table: Table): WaitingParts => ({
  async put(job, claim, part) {
    const Item = marshalled({ ...partKey(job, claim), ...part, ttl: expiry(job.startedAt) });
    const isFirst = 'attribute_not_exists(pk)';
    // Whoever else has read this part has found the same.
    await whenAllowed(
      table.client.send(new PutItemCommand({ TableName: table.name, Item, ConditionExpression: isFirst })),
    );
  },

  async get(job, claim): Promise<WaitingPart | undefined> {
    const item = await getItem(table, partKey(job, claim));
    return item && WaitingItem.parse(item);
  },

  async noteSent(job, claim) {
    const { start, chain } = claim;
    const Item = marshalled({ ...sentKey(job, claim), byte: start.byte, chain, ttl: expiry(job.startedAt) });
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  },

  async wasSent(job, claim) {
    const item = await getItem(table, sentKey(job, claim));
    if (!item) return false;
    const { byte, chain } = SentItem.parse(item);
    return byte === claim.start.byte && chain >= claim.chain;
  },
});

const numbered = ({ number }: PartClaim) => String(number).padStart(6, '0');
const partKey = ({ id }: ImportJob, claim: PartClaim): Key => ({
  pk: `${IMPORT_PART}${id}`,
  sk: `PART#${numbered(claim)}#${claim.start.byte}`,
});
const sentKey = ({ id }: ImportJob, claim: PartClaim): Key => ({
  pk: `${IMPORT_PART}${id}`,
  sk: `SENT#${numbered(claim)}`,
});
