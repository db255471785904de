/** Run by npm start, unless LOCAL_DEMO is 0: campaigns for receipts, and receipts to review, once per data folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '#shared/command';
import { type Deployment, findDeployment } from '#shared/deployment.cloudformation';
import { variable } from '#shared/env';
import { dynamoDbClient } from '#shared/table.dynamodb';
import { campaignStore } from '../campaigns/campaign-store.dynamodb.ts';
import { APPROVED_BY_PEOPLE, DEMO_CAMPAIGNS } from './demo-campaign.ts';
import { submitted } from './submitted.https.ts';

/** Drawn, not taken: no shop and no purchase is real. */
const RECEIPTS = join(import.meta.dirname, 'demo-receipts');

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  const campaigns = campaignStore(table);
  const areNew = new Map<string, boolean>();
  for (const campaign of DEMO_CAMPAIGNS) areNew.set(campaign.id, await campaigns.add(campaign));
  if (areNew.get(APPROVED_BY_PEOPLE.id)) await submitReceipts(deployment);
  return 0;
});

/** They are read while the service is used already; a few seconds each. */
async function submitReceipts(deployment: Deployment): Promise<void> {
  const url = deployment.output('ApiUrl').replace(/\/+$/, '');
  const submitter = { url, app: 'demo-app', secret: 'demo-secret', user: 'demo-user' };
  for (const file of readdirSync(RECEIPTS).sort()) {
    const bytes = readFileSync(join(RECEIPTS, file));
    const sent = await submitted(submitter, { bytes, campaign: APPROVED_BY_PEOPLE.permalink });
    if ('refused' in sent) throw new Error(`Demo receipt ${file}: ${sent.refused}`);
  }
}
