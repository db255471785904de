import * as z from 'zod/mini';
import { queryItems } from '#shared/table/queries.dynamodb';
import { type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { AWARDS } from '../table-keys.ts';
import { AWARD_SHARDS } from './award-limit.ts';
import type { Campaign, CountedCampaign } from './campaign.ts';

type AwardedCampaign = Pick<Campaign, 'tenant' | 'campaignId'>;
type LimitedCampaign = AwardedCampaign & Pick<Campaign, 'maxAwards'>;

const partition = ({ tenant, campaignId }: AwardedCampaign) => `${AWARDS}${tenant}#${campaignId}`;

const SHARD = 'TOTAL#';

/** The key of one of the items that count, as `count`, all awards of a campaign. */
export const awardShardKey = (campaign: AwardedCampaign, shard: number): Key => ({
  pk: partition(campaign),
  sk: `${SHARD}${shard}`,
});

/** The key of the item that counts, as `count`, the awards of a campaign to one customer. */
export const customerAwardsKey = (campaign: AwardedCampaign, customer: string): Key => ({
  pk: partition(campaign),
  sk: `CUSTOMER#${customer}`,
});

const AwardsItem = z.object({ sk: z.string(), count: z.int() });

/** Reads how often a campaign has been awarded to one customer. The read is consistent. */
export const customerAwards = async (table: Table, campaign: AwardedCampaign, customer: string): Promise<number> =>
  (await readItem(table, customerAwardsKey(campaign, customer), (item) => AwardsItem.parse(item).count)) ?? 0;

/** Reads the awards of a campaign, by shard. The read is consistent, and costs one unit for all shards. */
export async function shardCounts(table: Table, campaign: AwardedCampaign): Promise<number[]> {
  const counts = Array.from({ length: AWARD_SHARDS }, () => 0);
  const values = { pk: partition(campaign), shard: SHARD };
  for await (const item of queryItems(table, { where: 'pk = :pk AND begins_with(sk, :shard)', values })) {
    const { sk, count } = AwardsItem.parse(item);
    counts[Number(sk.slice(SHARD.length))] = count;
  }
  return counts;
}

/** Reads how often a campaign has been awarded; null if it has no limit, because nothing is counted then. */
async function totalAwards(table: Table, campaign: LimitedCampaign): Promise<number | null> {
  if (campaign.maxAwards === null) return null;
  return (await shardCounts(table, campaign)).reduce((total, count) => total + count, 0);
}

/** Reads how often each of these campaigns has been awarded. The reads are consistent. */
export const withAwards = (table: Table, campaigns: readonly Campaign[]): Promise<CountedCampaign[]> =>
  Promise.all(
    campaigns.map(async (campaign) => ({
      ...campaign,
      awards: await totalAwards(table, campaign),
    })),
  );

/** Reads how often a campaign has been awarded, in total and to one customer. The reads are consistent. */
export async function awardCounts(
  table: Table,
  campaign: LimitedCampaign,
  customer: string,
): Promise<{ readonly total: number | null; readonly ofCustomer: number }> {
  const [total, ofCustomer] = await Promise.all([
    totalAwards(table, campaign),
    customerAwards(table, campaign, customer),
  ]);
  return { total, ofCustomer };
}
