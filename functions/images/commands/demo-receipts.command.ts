/** npm start runs this once it is ready, unless LOCAL_DEMO is 0: it submits each demo receipt once per data folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { dynamoDbClient, type Table } from '#shared/table/table.dynamodb';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { APPROVED_BY_PEOPLE } from './demo-campaign.ts';
import { addDemoCampaigns } from './demo-campaigns.dynamodb.ts';
import { submitted, submittedIds } from './submitted.https.ts';

/** The receipts are drawn: no shop and no purchase is real. */
const RECEIPTS = join(import.meta.dirname, 'demo-receipts');
const GRACE_PERIOD_MILLIS = 300_000;

await runCommand(async () => {
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  await addDemoCampaigns(table, [APPROVED_BY_PEOPLE]);
  const url = deployment.output('ApiUrl').replace(/\/+$/, '');
  const submitter = { url, app: 'demo-app', secret: 'demo-secret', user: 'demo-user' };
  // An interrupted start may have submitted some of them.
  const earlier = await submittedIds(submitter);
  const ids: string[] = [];
  for (const file of readdirSync(RECEIPTS).sort()) {
    const externalId = `demo-receipt-${file}`;
    if (earlier.has(externalId)) continue;
    const bytes = readFileSync(join(RECEIPTS, file));
    const sent = await submitted(submitter, { bytes, campaign: APPROVED_BY_PEOPLE.permalink, externalId });
    if ('refused' in sent) throw new Error(`Demo receipt ${file}: ${sent.refused}`);
    ids.push(sent.id);
  }
  for (const id of ids) await read(table, id);
  return 0;
});

/** Waits until the receipt awaits a person. */
async function read(table: Table, id: string): Promise<void> {
  const until = Date.now() + GRACE_PERIOD_MILLIS;
  while (Date.now() < until) {
    const validation = await validationById(table, { tenant: APPROVED_BY_PEOPLE.tenant, id });
    if (validation && (validation.review !== undefined || validation.status !== 'pending')) return;
    await pause(200);
  }
  throw new Error(`The demo receipt ${id} has not been read within five minutes.`);
}
