import * as z from 'zod/mini';
import { getItems, type Key, type Table } from '#shared/table/table.dynamodb';
import { AWARDS } from '../table-keys.ts';
import type { Campaign, CountedCampaign } from './campaign.ts';

type AwardedCampaign = Pick<Campaign, 'tenant' | 'campaignId'>;

const partition = ({ tenant, campaignId }: AwardedCampaign) => `${AWARDS}${tenant}#${campaignId}`;

/** The key of the item that counts, as `count`, all awards of a campaign. */
export const awardsKey = (campaign: AwardedCampaign): Key => ({ pk: partition(campaign), sk: 'TOTAL' });

/** The key of the item that counts, as `count`, the awards of a campaign to one customer. */
export const customerAwardsKey = (campaign: AwardedCampaign, customer: string): Key => ({
  pk: partition(campaign),
  sk: `CUSTOMER#${customer}`,
});

const AwardsItem = z.object({ pk: z.string(), sk: z.string(), count: z.int() });

/** Reads how often a campaign has been awarded, in total and to one customer. The read is consistent. */
export async function awardCounts(
  table: Table,
  campaign: AwardedCampaign,
  customer: string,
): Promise<{ readonly total: number; readonly ofCustomer: number }> {
  const [all, own] = [awardsKey(campaign), customerAwardsKey(campaign, customer)];
  const items = (await getItems(table, [all, own])).map((item) => AwardsItem.parse(item));
  const countAt = ({ sk }: Key) => items.find((item) => item.sk === sk)?.count ?? 0;
  return { total: countAt(all), ofCustomer: countAt(own) };
}

/** Reads how often each of these campaigns has been awarded. The reads are consistent. */
export async function withAwards(table: Table, campaigns: readonly Campaign[]): Promise<CountedCampaign[]> {
  const items = (await getItems(table, campaigns.map(awardsKey))).map((item) => AwardsItem.parse(item));
  const counts = new Map(items.map(({ pk, count }) => [pk, count]));
  return campaigns.map((campaign) => ({ ...campaign, awards: counts.get(partition(campaign)) ?? 0 }));
}
