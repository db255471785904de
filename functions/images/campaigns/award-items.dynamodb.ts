import * as z from 'zod/mini';
import { getItems, type Key, type Table } from '#shared/table.dynamodb';
import { AWARDS } from '../table-keys.ts';
import type { Campaign } from './campaign.ts';

type AwardedCampaign = Pick<Campaign, 'tenant' | 'campaignId'>;

const partition = ({ tenant, campaignId }: AwardedCampaign) => `${AWARDS}${tenant}#${campaignId}`;

/** Counts, as `count`, the awards of a campaign. */
export const awardsKey = (campaign: AwardedCampaign): Key => ({ pk: partition(campaign), sk: 'TOTAL' });

/** Counts, as `count`, the awards of a campaign to one customer. */
export const customerAwardsKey = (campaign: AwardedCampaign, customer: string): Key => ({
  pk: partition(campaign),
  sk: `CUSTOMER#${customer}`,
});

const AwardsItem = z.object({ sk: z.string(), count: z.int() });

/** How often a campaign has been awarded, as of now: in all, and to one customer. */
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
