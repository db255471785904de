/** Run by npm start, unless LOCAL_DEMO is 0: a campaign for receipts, once per data folder. */
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { variable } from '#shared/env';
import { dynamoDbClient } from '#shared/table.dynamodb';
import { campaignStore } from '../campaigns/campaign-store.dynamodb.ts';
import { DEMO_CAMPAIGN } from './demo-campaign.ts';

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  await campaignStore(table).add(DEMO_CAMPAIGN);
  return 0;
});
