/** The code of webhooks without functions: each step is called by hand, with every client counted. */
import { KMSClient } from '@aws-sdk/client-kms';
import {
  CreateQueueCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import { configurationStore } from '../../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import { kmsSecrets, secretsOf } from '../../../functions/webhooks/configurations/secrets.kms.ts';
import { logAttempt } from '../../../functions/webhooks/deliveries/attempt-metrics.ts';
import {
  CONTINUE_FOR_MILLIS,
  type DeliverDeps,
  deliverRun,
} from '../../../functions/webhooks/deliveries/deliver-run.ts';
import { postRun } from '../../../functions/webhooks/deliveries/post-run.ts';
import { type StartDeps, startWaiting, sweepParked } from '../../../functions/webhooks/deliveries/start-parked.ts';
import { type SweepResult, sweepRuns } from '../../../functions/webhooks/deliveries/sweep-runs.ts';
import { type Lane, laneOf, type Ticket } from '../../../functions/webhooks/deliveries/ticket.ts';
import { deliveries } from '../../../functions/webhooks/deliveries/tickets.sqs.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { triggerRuns } from '../../../functions/webhooks/events/trigger-runs.ts';
import { matchingRules } from '../../../functions/webhooks/rules/matching-rules.dynamodb.ts';
import { ruleStore } from '../../../functions/webhooks/rules/rule-store.dynamodb.ts';
import { dueRuns } from '../../../functions/webhooks/runs/due-runs.dynamodb.ts';
import { parkedRuns } from '../../../functions/webhooks/runs/parked-runs.dynamodb.ts';
import { pendingDispatch } from '../../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import { httpsSender } from '../../../functions/webhooks/sending/sender.https.ts';
import { readPrivateTargets } from '../../../functions/webhooks/sending/target-policy.ts';
import { admission } from '../../../functions/webhooks/slots/admission.dynamodb.ts';
import type { Slot } from '../../../functions/webhooks/slots/admission.ts';
import { newId } from '../../../shared/ids.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import type { LocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createKey } from '../../support/cloud/local-key.ts';
import { AwsLedger } from '../costs/aws-ledger.ts';
import { createDeployedTable } from './webhook-table.ts';

const TENANT = 'acme-industries';
const RETENTION_DAYS = 90;
const LIMITS = { all: 20, whileSilent: 4 };

export async function createWebhookDesk(
  endpoint: LocalEndpoint,
  receiver: { readonly url: string; readonly caPem: string },
) {
  const options = endpoint.clientOptions();
  const owner = dynamoDbClient(options);
  const name = 'webhooks';
  const shapes = await createDeployedTable(owner, name);
  const ledger = new AwsLedger(shapes, owner);
  const table = { name, client: ledger.bind(dynamoDbClient(options)) };
  const sqs = ledger.bind(new SQSClient(options));
  const ownKms = new KMSClient(options);
  const key = createKey(endpoint);
  const ownSqs = new SQSClient(options);
  const queueUrl = async (QueueName: string) =>
    (await ownSqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
  const urls = { fast: await queueUrl('fast'), slow: await queueUrl('slow') };
  const queues = deliveries(urls, sqs);
  const hold = await holdOfOneMessage(ownSqs, { queue: await queueUrl('held'), counted: sqs });
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
    secretsOf: (configuration, now) => secretsOf(secrets)(configuration, now),
    deliveringFrom: async () => 0,
    post: async (post) => {
      payloadBytes = post.payload.body.length;
      return send(post);
    },
    send: async (lane, ticket, delayMillis) => {
      sent.push({ lane, ticket });
      await queues.send(lane, ticket, delayMillis);
    },
    reportAttempt: (run, attempt) => logAttempt(run, attempt, Date.now()),
    now: () => Date.now(),
    newToken: () => crypto.randomUUID(),
    continueForMillis: CONTINUE_FOR_MILLIS,
  };
  const own = { name, client: owner };
  /** As `deps`, uncounted. */
  const starting: StartDeps = {
    ...deps,
    parkedRuns: parkedRuns(own),
    admission: admission({ table: own, limits: LIMITS, chance: Math.random }),
    send: async (lane, ticket) => void sent.push({ lane, ticket }),
  };
  const secrets = kmsSecrets({ key, client: ledger.bind(new KMSClient(options)) });

  return {
    ledger,
    /** Of what was posted last. */
    payloadBytes: () => payloadBytes,

    /** A configuration with a secret, and the rule that fires it on `DSAR starts`. */
    async webhook(
      path: string,
      { body, ...fields }: Partial<Configuration> & { readonly body: string },
    ): Promise<string> {
      const id = newId('cfg');
      const createdAt = new Date().toISOString();
      const secret = await kmsSecrets({ key, client: ownKms }).encrypt('a-secret-of-the-endpoint', {
        tenant: TENANT,
        configuration: id,
      });
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
        enabled: true,
        createdAt,
        updatedAt: createdAt,
        ...fields,
      };
      await configurationStore(own).add(made);
      const rule = { id: newId('rule'), tenant: TENANT, name: '', module: 'dsar', trigger: 'DSAR starts' } as const;
      await ruleStore(own).add({
        ...rule,
        apiConfigurationId: id,
        headers: [],
        body,
        enabled: true,
        createdAt,
        updatedAt: createdAt,
      });
      return id;
    },

    /** Takes all slots that are free, as the attempts of other runs do. */
    async hold(configurationId: string, until: number): Promise<readonly Slot[]> {
      const configuration = { tenant: TENANT, configurationId };
      const load = await starting.admission.load(configuration);
      return starting.admission.reserve(configuration, load, { count: LIMITS.all, now: Date.now(), until });
    },

    /** Returns a slot, and starts the run that was parked first; the message for it. */
    async release(configurationId: string, slot: Slot) {
      const configuration = { tenant: TENANT, configurationId };
      await starting.admission.leave(configuration, slot, { outcome: 'unused', now: Date.now(), hadTimeouts: false });
      await startWaiting(starting, configuration);
      return sent.splice(0);
    },

    /** As the function that is scheduled every minute does. Nothing waits in the queues. */
    async sweep(at: number): Promise<SweepResult> {
      await Promise.all(Object.values(urls).map((QueueUrl) => ownSqs.send(new PurgeQueueCommand({ QueueUrl }))));
      ledger.step = 'sweep';
      return sweepRuns({
        deliveringFrom: deps.deliveringFrom,
        runs: dueRuns(table, { retentionDays: RETENTION_DAYS }),
        startParked: (configuration) => sweepParked({ ...deps, now: () => at }, configuration),
        sendAll: queues.sendAll,
        queued: queues.queued,
        now: () => at,
        until: at + 50_000,
      });
    },

    /** As the function of `POST events` does. */
    async trigger(event: Omit<WebhookEvent, 'module' | 'trigger'>): Promise<string[]> {
      ledger.step = 'trigger';
      const rules = matchingRules(table);
      const dsarEvent: WebhookEvent = { ...event, module: 'dsar', trigger: 'DSAR starts' };
      return triggerRuns({ rules, configurations: deps.configurations, runs, now: deps.now }, TENANT, dsarEvent);
    },

    /** As the function at the table's stream does; returns the message. */
    async dispatch(id: string): Promise<{ lane: Lane; ticket: Ticket } | undefined> {
      ledger.step = '';
      const before = ledger.entries.length;
      const run = await runs.byId({ tenant: TENANT, id });
      // Lambda delivers it from the stream.
      ledger.entries.length = before;
      ledger.step = 'dispatch';
      const next = run && pendingDispatch(run, Date.now());
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
        hold,
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

/** Holds the same message again and again: those of the bench are not received. */
async function holdOfOneMessage(own: SQSClient, { queue, counted }: { queue: string; counted: SQSClient }) {
  await own.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: 'held' }));
  const receive = new ReceiveMessageCommand({ QueueUrl: queue, VisibilityTimeout: 43_200 });
  const handle = (await own.send(receive)).Messages?.[0]?.ReceiptHandle ?? '';
  const { hold } = deliveries({ fast: queue, slow: queue }, counted);
  return (millis: number) => hold('fast', handle, millis);
}
