/** npm start runs this, unless LOCAL_DEMO is 0: it adds the demo campaigns once per data folder. */
import { runCommand } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { variable } from '#shared/env';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { DEMO_CAMPAIGNS } from './demo-campaign.ts';
import { addDemoCampaigns } from './demo-campaigns.dynamodb.ts';

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  await addDemoCampaigns(table, DEMO_CAMPAIGNS);
  return 0;
});
