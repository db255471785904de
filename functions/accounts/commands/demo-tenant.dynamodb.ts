/** The demo tenant and its credentials, the same in every local run. Never part of a deployment. */
import { dataTokenId } from '#shared/auth/data-token';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import { AppSettings } from '#shared/loyalty/app';
import { appSecretHash } from '#shared/loyalty/app-secret';
import { dynamoDbClient, type Table } from '#shared/table/table.dynamodb';
import { appStore } from '../apps/app-store.dynamodb.ts';
import { customerStore } from '../customers/customer-store.dynamodb.ts';
import { dataTokenStore } from '../data-tokens/data-token-store.dynamodb.ts';
import type { Account } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { addPerson } from './managers.cognito.ts';

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
  apiIntegration: true,
  allowedOrigins: [],
  createdAt: CREATED,
};

const PASSWORD = 'Demo-password-1234';

/** Adds what an earlier run did not. @returns the people who may sign in to the console, and their password */
export async function addDemoTenant(deployment: Deployment): Promise<DemoPeople> {
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
  await addLoyalty(table);
  return addPeople(deployment);
}

interface DemoPeople {
  readonly names: readonly string[];
  readonly password: string;
}

/** The same in every local run, so printed and no secret. Those who have chosen another password since keep it. */
async function addPeople(deployment: Deployment): Promise<DemoPeople> {
  const people = [
    { name: 'demo', role: 'admin' },
    { name: 'demo-operator', role: 'operator' },
  ] as const;
  for (const person of people) {
    const tenant = { tenant: DEMO.id, password: PASSWORD, isTemporary: false };
    await addPerson(deployment, { ...person, ...tenant }, Date.parse(CREATED));
  }
  return { names: people.map(({ name }) => name), password: PASSWORD };
}

async function addLoyalty(table: Table): Promise<void> {
  await appStore(table).add({
    ...AppSettings.parse({ name: 'Demo app' }),
    id: 'demo-app',
    tenant: DEMO.id,
    createdAt: CREATED,
    secretHash: appSecretHash('demo-secret'),
  });
  const customers = customerStore(table);
  const customer = { tenant: DEMO.id, id: 'demo-user' };
  if (await customers.byId(customer)) return;
  // Another customer may have been given the external id since; this one is then left out.
  await customers.add({
    ...customer,
    externalId: 'demo-external',
    attributes: {},
    createdAt: CREATED,
    updatedAt: CREATED,
  });
}
