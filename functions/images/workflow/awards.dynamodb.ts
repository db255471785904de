import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { entriesWrites, type PointsEntry } from '#shared/loyalty/points-ledger.dynamodb';
import { type Key, type Table, transact } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import { awardShardKey, customerAwardsKey, shardCounts } from '../campaigns/award-counters.dynamodb.ts';
import { openShard } from '../campaigns/award-limit.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { type Reservation, reservationWrite } from '../duplicates/reservations.dynamodb.ts';
import { isStored, type Validation } from '../validations/validation.ts';
import { changedValidationWrite } from '../validations/validation-items.dynamodb.ts';
import type { AwardConflict, AwardRequest } from './apply-verdict.ts';

/** The tables to which an award is written. */
interface Tables {
  readonly images: Table;
  /** The name of the table with apps and customers, which also holds the points. */
  readonly accounts: string;
}

interface Write {
  readonly write: TransactWriteItem;
  /** The conflict that a refusal of this write means. `shard`: other awards filled the shard since it was read. */
  readonly conflict: AwardConflict | 'shard';
}

/**
 * Makes a validation valid and reserves what it is awarded for: images, purchase, one award of the campaign, points.
 * One transaction ensures that two validations are not awarded for one receipt and that no limit is exceeded. It is
 * repeated if its shard is full, which other awards have filled: near the end of a limit most awards race for few shards.
 */
export async function makeAward(tables: Tables, award: AwardRequest): Promise<AwardConflict | undefined> {
  for (;;) {
    const count = await totalWrite(tables.images, award.campaign);
    if (count === 'none-left') return 'campaign-limit';
    const conflict = await transactAward(tables, award, count);
    if (conflict !== 'shard') return conflict;
  }
}

async function transactAward(
  { images, accounts }: Tables,
  award: AwardRequest,
  count: Write | undefined,
): Promise<Write['conflict'] | undefined> {
  const { before, after, campaign } = award;
  const entries = earned(after, campaign);
  const points = entries.reduce((sum, entry) => sum + entry.points, 0);
  const writes: Write[] = [
    { write: changedValidationWrite(images, { ...after, points }, before), conflict: 'validation' },
    ...reservationsOf(award).map((reservation) => ({
      write: reservationWrite(images, after, { ...reservation, scope: campaign?.receiptsOnce ?? 'campaign' }),
      conflict: reservation.kind,
    })),
    ...(campaign ? [customerWrite(images.name, campaign, after.customer)] : []),
    ...(count ? [count] : []),
    ...entriesWrites(accounts, entries).map((write) => ({ write, conflict: 'validation' as const })),
  ];
  const outcome = await transact(
    images,
    writes.map(({ write }) => write),
  );
  if (outcome.done) return undefined;
  const at = outcome.refused.findIndex((refused) => refused !== undefined);
  return writes[at]?.conflict ?? 'validation';
}

/** A file that is in the validation twice is reserved once. */
function reservationsOf({ after, fingerprint }: AwardRequest): Reservation[] {
  const digests = new Set(after.images.filter(isStored).map(({ sha256 }) => sha256));
  const bytes = [...digests].map((digest): Reservation => ({ kind: 'bytes', digest }));
  return fingerprint ? [...bytes, { kind: 'content', ...fingerprint }] : bytes;
}

const customerWrite = (tableName: string, campaign: Campaign, customer: string): Write => ({
  write: countWrite(tableName, customerAwardsKey(campaign, customer), campaign.awardsPerCustomer),
  conflict: 'customer-limit',
});

/** Counts one award of a campaign in a random shard. A campaign without a limit counts nothing. */
async function totalWrite(table: Table, campaign: Campaign | undefined): Promise<Write | 'none-left' | undefined> {
  if (!campaign || campaign.maxAwards === null) return undefined;
  const { maxAwards } = campaign;
  const open = openShard(await shardCounts(table, campaign), { maxAwards, random: Math.random });
  if (!open) return 'none-left';
  return { write: countWrite(table.name, awardShardKey(campaign, open.shard), open.limit), conflict: 'shard' };
}

const countWrite = (tableName: string, key: Key, limit: number | null): TransactWriteItem =>
  updateWrite(tableName, key, {
    change: 'ADD #count :one',
    ...(limit !== null && { condition: 'attribute_not_exists(#count) OR #count < :limit' }),
    values: { one: 1, limit: limit ?? undefined },
  });

/** Returns a ledger entry per line that earns points, with the id of the line, and one for the whole validation. */
function earned(validation: Validation, campaign: Campaign | undefined): PointsEntry[] {
  const { tenant, customer, id, app, updatedAt: at, results = [], campaignPermalink, storeName } = validation;
  const entry = (name: string, points: number, details: PointsEntry['details']): PointsEntry => ({
    tenant,
    customer,
    id: name,
    points,
    source: 'image-validation',
    at,
    details: { app, campaign: campaignPermalink, validation: id, ...details },
  });
  const lines = results
    .filter(({ points }) => points > 0)
    .map((line) => entry(line.id, line.points, { product: line.name, quantity: line.quantity }));
  const forValidation = campaign?.pointsPerValidation ?? 0;
  const whole =
    forValidation > 0 ? [entry(id, forValidation, storeName === undefined ? {} : { store: storeName })] : [];
  return [...whole, ...lines];
}
