/** Run by npm start: the demo tenant and its downloads token, the same in every local run. Never part of a deployment. */
import { dataTokenId } from '#shared/auth/data-token';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { dynamoDbClient } from '#shared/table.dynamodb';
import { dataTokenStore } from '../data-tokens/data-token-store.dynamodb.ts';
import type { Account } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';

const CREATED = '2026-01-01T00:00:00.000Z';

const DEMO: Account = {
  id: 'demo',
  name: 'demo',
  plan: 'growth',
  billingCurrency: 'USD',
  organization: 'Demo Organization',
  email: 'demo@example.com',
  firstName: 'Dana',
  lastName: 'Demo',
  phoneNumber: '+1 555 0100',
  active: true,
  createdAt: CREATED,
};

await runCommand(async () => {
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('AccountsTable'), client: dynamoDbClient(deployment.client) };
  // False when an earlier run made it; what was spent or changed since then stays.
  await accountStore(table).add(DEMO);
  await dataTokenStore(table).add({
    tokenId: dataTokenId('demo-token'),
    tenant: DEMO.id,
    planId: 'demo',
    availableDownloads: 1_000_000,
    createdAt: CREATED,
  });
  return 0;
});
