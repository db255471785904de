/** The code of webhooks without functions: each step is called by hand, with every client counted. */
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { App } from 'aws-cdk-lib';
import { DataStack } from '../../cdk/stacks/data-stack.ts';
import type { Configuration } from '../../functions/webhooks/configurations/configuration.ts';
import { configurationStore } from '../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import { kmsSecrets, secretOf } from '../../functions/webhooks/configurations/secrets.kms.ts';
import { admission } from '../../functions/webhooks/deliveries/admission.dynamodb.ts';
import { tellAttempt } from '../../functions/webhooks/deliveries/attempt-metrics.ts';
import { type DeliverDeps, deliverRun } from '../../functions/webhooks/deliveries/deliver-run.ts';
import { postRun } from '../../functions/webhooks/deliveries/post-run.ts';
import { type Lane, laneOf, type Ticket } from '../../functions/webhooks/deliveries/ticket.ts';
import { deliveries } from '../../functions/webhooks/deliveries/tickets.sqs.ts';
import type { WebhookEvent } from '../../functions/webhooks/events/event.ts';
import { triggerRuns } from '../../functions/webhooks/events/trigger-runs.ts';
import { matchingRules } from '../../functions/webhooks/rules/matching-rules.dynamodb.ts';
import { ruleStore } from '../../functions/webhooks/rules/rule-store.dynamodb.ts';
import { parkedRuns } from '../../functions/webhooks/runs/parked-runs.dynamodb.ts';
import { announced } from '../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../functions/webhooks/runs/run-store.dynamodb.ts';
import { httpsSender } from '../../functions/webhooks/sending/sender.https.ts';
import { readPrivateTargets } from '../../functions/webhooks/sending/target.ts';
import { newId } from '../../shared/ids.ts';
import { dynamoDbClient } from '../../shared/table.dynamodb.ts';
import type { LocalEndpoint } from '../support/local-endpoint.ts';
import { createKey } from '../support/local-key.ts';
import { AwsLedger } from './aws-ledger.ts';
import type { IndexShape } from './dynamodb-units.ts';

const TENANT = 'acme-industries';
const RETENTION_DAYS = 90;
const LIMITS = { all: 20, whileSilent: 4 };

interface TableProperties {
  readonly AttributeDefinitions: [];
  readonly KeySchema: [];
  readonly GlobalSecondaryIndexes: readonly {
    readonly IndexName: string;
    readonly KeySchema: { readonly AttributeName: string }[];
    readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
  }[];
}

/** The table of webhooks as it is deployed. */
function tableProperties(): TableProperties {
  const app = new App();
  const stack = new DataStack(app, 'data');
  const resources: Record<string, { Type: string; Properties: TableProperties }> = app
    .synth()
    .getStackByName(stack.stackName).template.Resources;
  const tables = Object.values(resources).filter(({ Type: type }) => type === 'AWS::DynamoDB::GlobalTable');
  const found = tables.find(({ Properties: { GlobalSecondaryIndexes: indexes } }) =>
    indexes.some(({ IndexName: name }) => name === 'Due'),
  );
  if (!found) throw new Error('There is no table of webhooks.');
  return found.Properties;
}

export async function createWebhookDesk(
  endpoint: LocalEndpoint,
  receiver: { readonly url: string; readonly caPem: string },
) {
  const options = endpoint.clientOptions();
  const owner = dynamoDbClient(options);
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes } = tableProperties();
  const name = 'webhooks';
  await owner.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions,
      KeySchema,
      GlobalSecondaryIndexes: indexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
        IndexName,
        KeySchema: keys as never,
        Projection: Projection as never,
      })),
    }),
  );
  const shapes = indexes.map(
    ({
      IndexName,
      KeySchema: keys,
      Projection: { ProjectionType: type, NonKeyAttributes: more = [] },
    }): IndexShape => ({
      name: IndexName,
      keys: keys.map(({ AttributeName }) => AttributeName),
      projected: type === 'ALL' ? 'all' : more,
    }),
  );
  const ledger = new AwsLedger(shapes, owner);
  const table = { name, client: ledger.bind(dynamoDbClient(options)) };
  const sqs = ledger.bind(new SQSClient(options));
  const ownKms = new KMSClient(options);
  const key = createKey(endpoint);
  const queueUrl = async (QueueName: string) =>
    (await new SQSClient(options).send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
  const queues = deliveries({ fast: await queueUrl('fast'), slow: await queueUrl('slow') }, sqs);
  const runs = runStore({ table, retentionDays: RETENTION_DAYS });
  const target = new URL(receiver.url);
  const sent: { lane: Lane; ticket: Ticket }[] = [];
  let payloadBytes = 0;

  const send = postRun(httpsSender({ extraCa: receiver.caPem }), readPrivateTargets(target.host));
  const deps: DeliverDeps = {
    runs,
    configurations: configurationStore(table),
    parkedRuns: parkedRuns(table),
    admission: admission({ table, limits: LIMITS, chance: Math.random }),
    limits: LIMITS,
    secretOf: (configuration) => secretOf(secrets)(configuration),
    post: async (post) => {
      payloadBytes = post.payload.body.length;
      return send(post);
    },
    send: async (lane, ticket, delayMillis) => {
      sent.push({ lane, ticket });
      await queues.send(lane, ticket, delayMillis);
    },
    tell: (run, attempt) => tellAttempt(run, attempt, Date.now()),
    now: () => Date.now(),
    newToken: () => crypto.randomUUID(),
    goesOnMillis: 2_000,
  };
  const secrets = kmsSecrets({ key, client: ledger.bind(new KMSClient(options)) });

  return {
    ledger,
    /** Of what was posted last. */
    payloadBytes: () => payloadBytes,

    /** A configuration with a secret, and the rule that fires it on `DSAR starts`. */
    async webhook(
      path: string,
      { body, ...stated }: Partial<Configuration> & { readonly body: string },
    ): Promise<void> {
      const id = newId('cfg');
      const createdAt = new Date().toISOString();
      const secret = await kmsSecrets({ key, client: ownKms }).encrypt('a-secret-of-the-endpoint', {
        tenant: TENANT,
        configuration: id,
      });
      const own = { name, client: owner };
      const made: Configuration = {
        id,
        tenant: TENANT,
        name: 'Order management, Europe',
        targetUrl: `${receiver.url}${path}`,
        retryIntervalSeconds: 0,
        retryTimeoutSeconds: 30,
        maxAttempts: 3,
        description: '',
        authentication: { type: 'bearer', secret },
        createdAt,
        updatedAt: createdAt,
        ...stated,
      };
      await configurationStore(own).add(made);
      const rule = { id: newId('rule'), tenant: TENANT, module: 'dsar', trigger: 'DSAR starts' } as const;
      await ruleStore(own).add({
        ...rule,
        apiConfigurationId: id,
        headers: [],
        body,
        enabled: true,
        createdAt,
        updatedAt: createdAt,
      });
    },

    /** As the function of `POST events` does. */
    async trigger(event: Omit<WebhookEvent, 'module' | 'trigger'>): Promise<string[]> {
      ledger.step = 'trigger';
      const rules = matchingRules(table);
      const stated: WebhookEvent = { ...event, module: 'dsar', trigger: 'DSAR starts' };
      return triggerRuns({ rules, configurations: deps.configurations, runs, now: deps.now }, TENANT, stated);
    },

    /** As the function at the table's stream does; returns the message. */
    async dispatch(id: string): Promise<{ lane: Lane; ticket: Ticket } | undefined> {
      ledger.step = '';
      const before = ledger.entries.length;
      const run = await runs.byId({ tenant: TENANT, id });
      // Lambda delivers it from the stream.
      ledger.entries.length = before;
      ledger.step = 'dispatch';
      const next = run && announced(run, Date.now());
      if (!run || !next) return undefined;
      const ticket = { tenant: TENANT, run: id, attempt: next.attempt, configuration: run.configurationId };
      const lane = laneOf(next);
      await queues.sendAll([{ lane, ticket, delayMillis: next.delayMillis }]);
      return { lane, ticket };
    },

    /** As the functions at the queues do; returns what they sent themselves. */
    async deliver({ lane, ticket }: { lane: Lane; ticket: Ticket }) {
      ledger.step = 'deliver';
      await deliverRun(deps, ticket, {
        lane,
        remainingMillis: () => 140_000,
        traceId: '1-6740a1b2-0123456789abcdef01234567',
        hold: async () => undefined,
      });
      return sent.splice(0);
    },

    async run(id: string) {
      const before = ledger.entries.length;
      const run = await runs.byId({ tenant: TENANT, id });
      ledger.entries.length = before;
      return run;
    },
  };
}
