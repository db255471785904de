/** Run by npm start, unless LOCAL_DEMO is 0: campaigns for receipts, once per data folder. */
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { variable } from '#shared/env';
import { tableIds } from '#shared/integer-ids.dynamodb';
import { dynamoDbClient } from '#shared/table.dynamodb';
import { campaignStore } from '../campaigns/campaign-store.dynamodb.ts';
import { DEMO_CAMPAIGNS } from './demo-campaign.ts';

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  const campaigns = campaignStore(table);
  const campaignIds = tableIds(table);
  for (const campaign of DEMO_CAMPAIGNS) {
    const campaignId = await campaignIds.next(`${campaign.tenant}#campaign`);
    await campaigns.add({ ...campaign, campaignId });
  }
  return 0;
});
