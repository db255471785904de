import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, ProjectionType, StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { type EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { METRICS } from '#shared/metrics';
import type * as CancelBulkReplay from '../../functions/webhooks/cancel-bulk-replay.handler.ts';
import type * as ChangeConfiguration from '../../functions/webhooks/change-configuration.handler.ts';
import type * as ChangeRule from '../../functions/webhooks/change-rule.handler.ts';
import type * as CreateConfiguration from '../../functions/webhooks/create-configuration.handler.ts';
import type * as CreateRule from '../../functions/webhooks/create-rule.handler.ts';
import type * as DeleteConfiguration from '../../functions/webhooks/delete-configuration.handler.ts';
import type * as DeleteRule from '../../functions/webhooks/delete-rule.handler.ts';
import type * as DeliverRun from '../../functions/webhooks/deliver-run.handler.ts';
import type * as DispatchRuns from '../../functions/webhooks/dispatch-runs.handler.ts';
import type * as GetBulkReplays from '../../functions/webhooks/get-bulk-replays.handler.ts';
import type * as GetConfigurations from '../../functions/webhooks/get-configurations.handler.ts';
import type * as GetRules from '../../functions/webhooks/get-rules.handler.ts';
import type * as GetRuns from '../../functions/webhooks/get-runs.handler.ts';
import type * as ListAttempts from '../../functions/webhooks/list-attempts.handler.ts';
import type * as ReceiveEvents from '../../functions/webhooks/receive-events.handler.ts';
import type * as ReplaceConfiguration from '../../functions/webhooks/replace-configuration.handler.ts';
import type * as ReplaceRule from '../../functions/webhooks/replace-rule.handler.ts';
import type * as ReplayPage from '../../functions/webhooks/replay-page.handler.ts';
import type * as ReplayRun from '../../functions/webhooks/replay-run.handler.ts';
import type * as StartBulkReplay from '../../functions/webhooks/start-bulk-replay.handler.ts';
import type * as SweepRuns from '../../functions/webhooks/sweep-runs.handler.ts';
import type * as TriggerRuns from '../../functions/webhooks/trigger-runs.handler.ts';
import type * as WakeBulkReplays from '../../functions/webhooks/wake-bulk-replays.handler.ts';
import { alarm } from '../constructs/alarms.ts';
import { allowsIndex, allowsKeys, sendsTo, setting, usesKey } from '../constructs/bindings.ts';
import { DomainTable } from '../constructs/domain-table.ts';
import type { PublicApi } from '../constructs/public-api.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { TableStream } from '../constructs/table-stream.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import { settingsOf } from '../settings.ts';

/** The encryption context of every secret: whose it is. */
const SECRET_CONTEXT = ['tenant', 'configuration'] as const;

/** What must outlive every deployment: configurations, rules and runs, and the key to the secrets among them. */
export class WebhooksData extends Construct {
  readonly table = new DomainTable(this, 'Table', {
    stream: StreamViewType.NEW_IMAGE,
    indexes: [
      {
        indexName: 'Log',
        partitionKey: { name: 'log', type: AttributeType.STRING },
        sortKey: { name: 'logPosition', type: AttributeType.STRING },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['outcome', 'module', 'configurationId', 'record'],
      },
      {
        indexName: 'Due',
        partitionKey: { name: 'due', type: AttributeType.STRING },
        sortKey: { name: 'lookAt', type: AttributeType.NUMBER },
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
  });
  readonly secretsKey: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { retainData } = settingsOf(this);
    this.secretsKey = new Key(this, 'Secrets', {
      description: 'Secrets of webhook targets, by tenant and configuration.',
      enableKeyRotation: true,
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

export interface WebhooksProps {
  readonly api: PublicApi;
  readonly data: WebhooksData;
  /** Where modules announce what happens. */
  readonly events: EventBus;
}

/** Outbound webhooks: where they go, which events fire them, and how they are delivered. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    this.addManagement(props);
    this.addDelivery(props);
    this.addBulkReplays(props);
  }

  private addManagement({ api, data: { table, secretsKey } }: WebhooksProps) {
    const managing = 'Tenants cannot manage their webhooks; those that are set up go on.';

    const encryptsSecrets = {
      SECRETS_KEY: usesKey(secretsKey, { action: 'Encrypt', context: SECRET_CONTEXT }),
      PRIVATE_TARGETS: setting(settingsOf(this).webhookPrivateTargets),
    };
    const createConfiguration = new ServiceFunction<CreateConfiguration.Env>(this, 'CreateConfiguration', {
      handlerOf: 'webhooks/create-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('PutItem'), ...encryptsSecrets },
      ifItFails: managing,
    });
    const getConfigurations = new ServiceFunction<GetConfigurations.Env>(this, 'GetConfigurations', {
      handlerOf: 'webhooks/get-configurations',
      bindings: { WEBHOOKS_TABLE: table.lists('GetItem') },
      ifItFails: managing,
    });
    const replaceConfiguration = new ServiceFunction<ReplaceConfiguration.Env>(this, 'ReplaceConfiguration', {
      handlerOf: 'webhooks/replace-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem'), ...encryptsSecrets },
      ifItFails: managing,
    });
    const changeConfiguration = new ServiceFunction<ChangeConfiguration.Env>(this, 'ChangeConfiguration', {
      handlerOf: 'webhooks/change-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem'), ...encryptsSecrets },
      ifItFails: managing,
    });
    const deleteConfiguration = new ServiceFunction<DeleteConfiguration.Env>(this, 'DeleteConfiguration', {
      handlerOf: 'webhooks/delete-configuration',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'DeleteItem') },
      ifItFails: managing,
    });
    api.managementRoute('POST', '/manage/v1/api-configurations', createConfiguration);
    api.managementRoute('GET', '/manage/v1/api-configurations', getConfigurations);
    api.managementRoute('GET', '/manage/v1/api-configurations/{id}', getConfigurations);
    api.managementRoute('PUT', '/manage/v1/api-configurations/{id}', replaceConfiguration);
    api.managementRoute('PATCH', '/manage/v1/api-configurations/{id}', changeConfiguration);
    api.managementRoute('DELETE', '/manage/v1/api-configurations/{id}', deleteConfiguration);

    const createRule = new ServiceFunction<CreateRule.Env>(this, 'CreateRule', {
      handlerOf: 'webhooks/create-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('PutItem', 'ConditionCheckItem') },
      ifItFails: managing,
    });
    const getRules = new ServiceFunction<GetRules.Env>(this, 'GetRules', {
      handlerOf: 'webhooks/get-rules',
      bindings: { WEBHOOKS_TABLE: table.lists('GetItem', 'BatchGetItem') },
      ifItFails: managing,
    });
    const replaceRule = new ServiceFunction<ReplaceRule.Env>(this, 'ReplaceRule', {
      handlerOf: 'webhooks/replace-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem') },
      ifItFails: managing,
    });
    const changeRule = new ServiceFunction<ChangeRule.Env>(this, 'ChangeRule', {
      handlerOf: 'webhooks/change-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem') },
      ifItFails: managing,
    });
    const deleteRule = new ServiceFunction<DeleteRule.Env>(this, 'DeleteRule', {
      handlerOf: 'webhooks/delete-rule',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'DeleteItem') },
      ifItFails: managing,
    });
    api.managementRoute('POST', '/manage/v1/rules', createRule);
    api.managementRoute('GET', '/manage/v1/rules', getRules);
    api.managementRoute('GET', '/manage/v1/rules/{id}', getRules);
    api.managementRoute('PUT', '/manage/v1/rules/{id}', replaceRule);
    api.managementRoute('PATCH', '/manage/v1/rules/{id}', changeRule);
    api.managementRoute('DELETE', '/manage/v1/rules/{id}', deleteRule);
  }
  private addDelivery({ api, data: { table, secretsKey }, events }: WebhooksProps) {
    const settings = settingsOf(this);
    const retention = setting(settings.webhookRetentionDays);
    const waiting = 'Webhooks go out late.';
    // The longest attempt, 120 s, and what is written before and after it.
    const longest = 140;
    const fast = new WorkQueue(this, 'FastDeliveries', { workerTimeoutSeconds: longest, ifItFails: waiting });
    const slow = new WorkQueue(this, 'SlowDeliveries', { workerTimeoutSeconds: longest, ifItFails: waiting });
    const sendsDeliveries = { FAST_QUEUE: sendsTo(fast.queue), SLOW_QUEUE: sendsTo(slow.queue) };

    const makesRuns = {
      WEBHOOKS_TABLE: table.allows('GetItem', 'BatchGetItem', 'Query', 'PutItem'),
      RETENTION_DAYS: retention,
    };
    const triggerRuns = new ServiceFunction<TriggerRuns.Env>(this, 'TriggerRuns', {
      handlerOf: 'webhooks/trigger-runs',
      bindings: makesRuns,
      ifItFails: 'Modules cannot announce events over the API, and no webhooks follow from them.',
    });
    api.managementRoute('POST', '/manage/v1/events', triggerRuns);

    const announced = new WorkQueue(this, 'WebhookEvents', {
      workerTimeoutSeconds: 30,
      ifItFails: 'Events on the bus make no webhooks.',
    });
    const receiveEvents = new ServiceFunction<ReceiveEvents.Env>(this, 'ReceiveEvents', {
      handlerOf: 'webhooks/receive-events',
      timeoutSeconds: 30,
      bindings: makesRuns,
      ifItFails: 'Events on the bus make no webhooks.',
    });
    announced.workedOnBy(receiveEvents, { batchSize: 10, maxConcurrency: settings.deliveryConcurrency });
    new Rule(this, 'Triggers', {
      eventBus: events,
      description: 'What happens in a module fires webhooks.',
      eventPattern: { detailType: ['webhook.trigger'] },
      // What the bus cannot hand over for a day ends where what cannot be worked on does.
      targets: [new SqsQueue(announced.queue, { deadLetterQueue: announced.deadLetters })],
    });

    const dispatchRuns = new ServiceFunction<DispatchRuns.Env>(this, 'DispatchRuns', {
      handlerOf: 'webhooks/dispatch-runs',
      timeoutSeconds: 30,
      bindings: sendsDeliveries,
      ifItFails: 'Webhooks go out a minute late, when the sweeper finds them.',
    });
    new TableStream(this, 'Runs', {
      table,
      reader: dispatchRuns,
      filters: [{ dynamodb: { NewImage: { sk: { S: ['RUN'] }, announces: { N: [{ exists: true }] } } } }],
      ifItFails: 'Webhooks go out a minute late, when the sweeper finds them.',
    });

    for (const [lane, queue] of Object.entries({ fast, slow })) {
      const deliverRun = new ServiceFunction<DeliverRun.Env>(this, lane === 'fast' ? 'DeliverFast' : 'DeliverSlow', {
        handlerOf: 'webhooks/deliver-run',
        memoryMiB: 256,
        timeoutSeconds: longest,
        bindings: {
          // What calls the outside can change runs, and nothing that says where they go.
          WEBHOOKS_TABLE: allowsKeys(
            table,
            { actions: ['GetItem', 'PutItem', 'UpdateItem'], prefixes: ['RUN#', 'LOAD#'] },
            { actions: ['GetItem'], prefixes: ['CONFIGURATION#'] },
          ),
          ...sendsDeliveries,
          LANE: setting(lane),
          SECRETS_KEY: usesKey(secretsKey, { action: 'Decrypt', context: SECRET_CONTEXT }),
          RETENTION_DAYS: retention,
          ATTEMPTS_PER_CONFIGURATION: setting(settings.attemptsPerConfiguration),
          PRIVATE_TARGETS: setting(settings.webhookPrivateTargets),
          EXTRA_CA_FILE: setting(settings.webhookExtraCaFile),
          UV_THREADPOOL_SIZE: setting(32),
        },
        ifItFails: waiting,
      });
      // One message a function: an endpoint that takes its time holds up nobody else.
      queue.workedOnBy(deliverRun, { maxConcurrency: settings.deliveryConcurrency });
    }

    const sweepRuns = new ServiceFunction<SweepRuns.Env>(this, 'SweepRuns', {
      handlerOf: 'webhooks/sweep-runs',
      timeoutSeconds: 58,
      bindings: {
        WEBHOOKS_TABLE: allowsIndex(table, 'Due', 'BatchGetItem', 'UpdateItem'),
        FAST_QUEUE: fast.countsAndSends(),
        SLOW_QUEUE: slow.countsAndSends(),
        RETENTION_DAYS: retention,
      },
      ifItFails: 'Retries after more than 15 minutes do not happen, and nobody mends what a crash left behind.',
    });
    new Rule(this, 'EveryMinute', {
      description: 'Looks at runs of which nothing was heard in time.',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new FunctionTarget(sweepRuns)],
    });
    alarm(this, 'OldestDueRunAlarm', {
      metric: new Metric({
        namespace: METRICS,
        metricName: 'OldestDueRun',
        period: Duration.minutes(5),
        statistic: 'Maximum',
      }),
      above: 300,
      meaning: 'Webhooks that are due have been waiting for more than five minutes.',
    });

    const reading = 'Tenants cannot see how their webhooks fared; the webhooks themselves go out.';
    const getRuns = new ServiceFunction<GetRuns.Env>(this, 'GetRuns', {
      handlerOf: 'webhooks/get-runs',
      bindings: { WEBHOOKS_TABLE: allowsIndex(table, 'Log', 'GetItem', 'BatchGetItem', 'Query') },
      ifItFails: reading,
    });
    const listAttempts = new ServiceFunction<ListAttempts.Env>(this, 'ListAttempts', {
      handlerOf: 'webhooks/list-attempts',
      bindings: { WEBHOOKS_TABLE: table.allows('Query') },
      ifItFails: reading,
    });
    const replayRun = new ServiceFunction<ReplayRun.Env>(this, 'ReplayRun', {
      handlerOf: 'webhooks/replay-run',
      bindings: {
        WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'),
        RETENTION_DAYS: retention,
      },
      ifItFails: 'Tenants cannot replay failed webhooks.',
    });
    api.managementRoute('GET', '/manage/v1/runs', getRuns);
    api.managementRoute('GET', '/manage/v1/runs/{id}', getRuns);
    api.managementRoute('GET', '/manage/v1/runs/{id}/attempts', listAttempts);
    api.managementRoute('POST', '/manage/v1/runs/{id}/replay', replayRun);
  }

  private addBulkReplays({ api, data: { table } }: WebhooksProps) {
    const { replaysPerSecond, webhookRetentionDays } = settingsOf(this);
    const retention = setting(webhookRetentionDays);
    const starting = 'Tenants cannot start or stop the replay of many failed webhooks, or see how far it is.';
    const replaying = 'Bulk replays that tenants have started do not go on.';
    const replays = new WorkQueue(this, 'Replays', { workerTimeoutSeconds: 60, ifItFails: replaying });

    const startBulkReplay = new ServiceFunction<StartBulkReplay.Env>(this, 'StartBulkReplay', {
      handlerOf: 'webhooks/start-bulk-replay',
      bindings: {
        WEBHOOKS_TABLE: table.allows('PutItem'),
        REPLAYS_QUEUE: sendsTo(replays.queue),
        RETENTION_DAYS: retention,
      },
      ifItFails: starting,
    });
    const getBulkReplays = new ServiceFunction<GetBulkReplays.Env>(this, 'GetBulkReplays', {
      handlerOf: 'webhooks/get-bulk-replays',
      bindings: { WEBHOOKS_TABLE: table.lists('GetItem') },
      ifItFails: starting,
    });
    const cancelBulkReplay = new ServiceFunction<CancelBulkReplay.Env>(this, 'CancelBulkReplay', {
      handlerOf: 'webhooks/cancel-bulk-replay',
      bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'UpdateItem', 'DeleteItem') },
      ifItFails: starting,
    });
    api.managementRoute('POST', '/manage/v1/replays', startBulkReplay);
    api.managementRoute('GET', '/manage/v1/replays', getBulkReplays);
    api.managementRoute('GET', '/manage/v1/replays/{id}', getBulkReplays);
    api.managementRoute('DELETE', '/manage/v1/replays/{id}', cancelBulkReplay);

    const replayPage = new ServiceFunction<ReplayPage.Env>(this, 'ReplayPage', {
      handlerOf: 'webhooks/replay-page',
      timeoutSeconds: 60,
      bindings: {
        WEBHOOKS_TABLE: allowsIndex(
          table,
          'Log',
          'GetItem',
          'BatchGetItem',
          'PutItem',
          'UpdateItem',
          'DeleteItem',
          'ConditionCheckItem',
        ),
        REPLAYS_QUEUE: sendsTo(replays.queue),
        RETENTION_DAYS: retention,
        REPLAYS_PER_SECOND: setting(replaysPerSecond),
      },
      ifItFails: replaying,
    });
    // So many tenants are replayed for at full pace at the same time.
    replays.workedOnBy(replayPage, { maxConcurrency: 10 });

    const wakeBulkReplays = new ServiceFunction<WakeBulkReplays.Env>(this, 'WakeBulkReplays', {
      handlerOf: 'webhooks/wake-bulk-replays',
      timeoutSeconds: 55,
      bindings: { WEBHOOKS_TABLE: table.lists('GetItem', 'UpdateItem'), REPLAYS_QUEUE: sendsTo(replays.queue) },
      ifItFails: 'A bulk replay whose worker died at a bad moment does not go on.',
    });
    new Rule(this, 'WakeReplays', {
      description: 'Has workers look at bulk replays of which nothing was heard.',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new FunctionTarget(wakeBulkReplays)],
    });
  }
}
