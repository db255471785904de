import { tableIds } from '#shared/integer-ids.dynamodb';
import type { Table } from '#shared/table.dynamodb';
import { campaignStore } from '../campaigns/campaign-store.dynamodb.ts';
import type { DemoCampaign } from './demo-campaign.ts';

/** Adds the campaigns that an earlier start did not. A number is taken for a new one only: each start would reserve a block. */
export async function addDemoCampaigns(table: Table, demoCampaigns: readonly DemoCampaign[]): Promise<void> {
  const campaigns = campaignStore(table);
  const campaignIds = tableIds(table);
  for (const campaign of demoCampaigns) {
    if (await campaigns.byPermalink(campaign)) continue;
    await campaigns.add({ ...campaign, campaignId: await campaignIds.next(`${campaign.tenant}#campaign`) });
  }
}
