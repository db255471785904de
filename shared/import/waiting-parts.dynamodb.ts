import * as z from 'zod';
import { getItem, type Key, type Table } from '#shared/table/table.dynamodb';
import { putItem } from '#shared/table/writes.dynamodb';
import { expiry } from './import-items.dynamodb.ts';
import type { ImportJob } from './import-job.ts';
import { type PartClaim, Position } from './part-claim.ts';
import { IMPORT_PART } from './table-keys.ts';
import type { WaitingPart, WaitingParts } from './waiting-part.ts';

/** This is shorter than the life of objects that no manifest names. A part that has waited longer is read again. */
const WAITS_MAX_MILLIS = 5 * 86_400_000;

const StoredItem = z.object({ storedAt: z.number() });

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
  async put(job, claim, part, now) {
    // Another worker that has read this part got the same result.
    const item = { ...partKey(job, claim), ...part, storedAt: now, ttl: expiry(job.startedAt) };
    await putItem(table, item, {
      condition: 'attribute_not_exists(pk) OR storedAt < :stale',
      values: { stale: now - WAITS_MAX_MILLIS },
    });
  },

  async get(job, claim, now): Promise<WaitingPart | undefined> {
    const item = await getItem(table, partKey(job, claim));
    return item && StoredItem.parse(item).storedAt >= now - WAITS_MAX_MILLIS ? WaitingItem.parse(item) : undefined;
  },

  async noteSent(job, claim) {
    const { start, chain } = claim;
    await putItem(table, { ...sentKey(job, claim), byte: start.byte, chain, ttl: expiry(job.startedAt) });
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
