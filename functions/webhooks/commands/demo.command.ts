/** Writes demo configurations, rules and three days of deliveries. `npm start` runs it, unless LOCAL_DEMO is 0. */
import { runCommand } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { variable } from '#shared/env';
import { dynamoDbClient, type Item } from '#shared/table/table.dynamodb';
import { putItem } from '#shared/table/writes.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { ruleStore } from '../rules/rule-store.dynamodb.ts';
import { attemptItem, payloadItem, runItem } from '../runs/run-items.dynamodb.ts';
import { DEMO_CONFIGURATIONS, DEMO_RULES, type DemoRun, demoRuns } from './demo-runs.ts';

/** The time for which a local run keeps its deliveries. */
const RETENTION_MILLIS = 30 * 86_400_000;
const AT_ONCE = 10;

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('WebhooksTable'), client: dynamoDbClient(deployment.client) };
  const configurations = configurationStore(table);
  for (const one of DEMO_CONFIGURATIONS) {
    // An earlier start has made the demo data; later changes to it stay.
    if ((await configurations.add(one)) === 'name-taken') return 0;
  }
  for (const rule of DEMO_RULES) await ruleStore(table).add(rule);
  // The runs are written in their final state, so no endpoint is called.
  const items = demoRuns(Date.now()).flatMap(itemsOf);
  // Written in batches: a busy laptop would not accept so many connections within the connection timeout.
  for (let from = 0; from < items.length; from += AT_ONCE) {
    await Promise.all(items.slice(from, from + AT_ONCE).map((item) => putItem(table, item)));
  }
  return 0;
});

function itemsOf({ run, payload, attempts }: DemoRun): Item[] {
  const expiresAt = run.createdAt + RETENTION_MILLIS;
  return [
    payloadItem(run, payload, expiresAt),
    ...attempts.map((attempt) => attemptItem(run, attempt, expiresAt)),
    runItem(run, expiresAt),
  ];
}
