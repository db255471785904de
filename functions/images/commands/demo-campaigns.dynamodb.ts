import { tableIds } from '#shared/table/integer-ids.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { campaignStore } from '../campaigns/campaign-store.dynamodb.ts';
import type { DemoCampaign } from './demo-campaign.ts';

/**
 * Adds missing campaigns. Only a new campaign takes a number, because each start would otherwise reserve a block of
 * numbers.
 */
export async function addDemoCampaigns(table: Table, demoCampaigns: readonly DemoCampaign[]): Promise<void> {
  const campaigns = campaignStore(table);
  const campaignIds = tableIds(table);
  for (const campaign of demoCampaigns) {
    if (await campaigns.byPermalink(campaign)) continue;
    await campaigns.add({ ...campaign, campaignId: await campaignIds.next(`${campaign.tenant}#campaign`) });
  }
}
