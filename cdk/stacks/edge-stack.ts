import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { AlarmTopic } from '../constructs/alarms/alarm-topic.ts';
import type { AlarmTopics } from '../constructs/alarms/alarms.ts';
import { addBudget } from '../constructs/alarms/budget.ts';
import { addEdgeAlarms } from '../constructs/alarms/edge-alarms.ts';
import { observes } from '../constructs/alarms/observed-stacks.ts';
import { looksAtTopics, reads, setting } from '../constructs/functions/bindings.ts';
import { pathMethods } from '../constructs/functions/handler-routes.ts';
import { everyMinute } from '../constructs/functions/schedules.ts';
import { ServiceFunction } from '../constructs/functions/service-function.ts';
import { PublicApi } from '../constructs/public-api.ts';
import type { AccountsData } from '../domains/accounts/accounts-data.ts';
import { settingsOf, stackNames, stageOf } from '../settings.ts';
import type { DataStack } from './data-stack.ts';
import { keepExported } from './permanent-exports.ts';

export interface EdgeStackProps extends StackProps {
  readonly data: DataStack;
}

/** The stack that all domains share: the HTTP API with its authoriser, the event bus, and the topics that alarms go to. */
export class EdgeStack extends Stack {
  readonly api: PublicApi;
  readonly events: EventBus;
  readonly alarmTopics: AlarmTopics;
  /** The role of the function that works on dead letters. Each stack that has queues lets it. */
  readonly letterRole: IRole;

  constructor(scope: Construct, id: string, { data, ...props }: EdgeStackProps) {
    super(scope, id, props);
    const { table } = data.accounts;
    this.api = new PublicApi(this, 'PublicApi', { managers: authoriser(this, data.accounts) });
    this.events = new EventBus(this, 'Events', { description: 'Events of the domains and of outside systems.' });
    const { alarmsTo, ticketsTo } = settingsOf(this);
    this.alarmTopics = {
      pages: new AlarmTopic(this, 'Alarms', alarmsTo),
      tickets: new AlarmTopic(this, 'Tickets', ticketsTo),
    };
    this.api.serve(this, 'edge/unknown-routes', {
      bindings: {
        ACCOUNTS_TABLE: table.allows({
          'ACCOUNT#': ['GetItem'],
          'DATA_TOKEN#': ['GetItem'],
          'PREVIEWS#': ['GetItem'],
        }),
        PATH_METHODS: setting(pathMethods('/manage/v1/', '/v3/', '/priv/v1/apps/', '/api/v1/apps/')),
      },
      ifItFails: 'Callers who mistype a path get an unclear answer.',
    });
    this.api.serve(this, 'edge/system/system', {
      bindings: {
        STACKS: observes(
          this,
          observedStacks(this),
          'cloudformation:DescribeStacks',
          'sqs:GetQueueAttributes',
          'cloudwatch:DescribeAlarms',
          'cloudwatch:GetMetricData',
        ),
      },
      ifItFails:
        'Operators do not see in the console what waits, was given up, or sounds; alarms are mailed all the same.',
    });
    this.letterRole = addDeadLetters(this, data.accounts);
    addReference(this);
    addBudget(this);
    addEdgeAlarms(this, { api: this.api, topics: this.alarmTopics, watch: this.watch(data.accounts) });
    keepExported(this, [this.api.apiId, this.api.authorizerId, this.events.eventBusArn, this.events.eventBusName]);
    keepExported(this, [this.letterRole.roleName]);
    keepExported(this, [
      this.alarmTopics.pages.topicArn,
      this.alarmTopics.tickets.topicArn,
      this.api.accessLogs.logGroupArn,
    ]);

    // The commands of package.json look these up, locally and deployed.
    new CfnOutput(this, 'ApiUrl', { value: this.api.url });
    new CfnOutput(this, 'EventBus', { value: this.events.eventBusName });
  }

  /** WatchSystem: checks every minute what no free metric of AWS shows. */
  private watch({ table }: AccountsData): ServiceFunction {
    const topics = Object.values(this.alarmTopics).filter(({ hasReceiver }) => hasReceiver);
    const watchSystem = new ServiceFunction(this, 'edge/system/watch-system', {
      isCalledEveryMinute: true,
      memoryMiB: 256,
      timeoutSeconds: 30,
      bindings: {
        ACCOUNTS_TABLE: table.allows({ SCHEDULE_RUNS: ['Query', 'PutItem'] }),
        STACKS: observes(this, observedStacks(this), 'cloudformation:DescribeStacks', 'sqs:GetQueueAttributes'),
        ALARM_TOPICS: looksAtTopics(topics),
      },
      ifItFails:
        'Nobody hears of schedules that have stopped, of work that was given up, and of alarms that mail nobody.',
    });
    everyMinute(this, 'WatchEveryMinute', watchSystem, 'Looks for schedules that have stopped, and for dead letters.');
    return watchSystem;
  }
}

/** Dead letters for operators. @returns the role of the function, which each stack lets read its queues */
function addDeadLetters(stack: EdgeStack, { auditing }: AccountsData): IRole {
  const deadLetters = stack.api.serve(stack, 'edge/system/dead-letters', {
    bindings: { ...auditing, STACKS: observes(stack, observedStacks(stack), 'cloudformation:DescribeStacks') },
    ifItFails: 'Operators cannot look at dead letters in the console; `npm run letters` does the same.',
    // Reading many letters takes a call for each ten.
    timeoutSeconds: 29,
  });
  if (!deadLetters.role) throw new Error('The function has no role.');
  return deadLetters.role;
}

/** The descriptions of the interfaces, for programs and for people. */
function addReference(stack: EdgeStack): void {
  const reference = { memoryMiB: 1_024, bindings: { DOMAINS: setting(settingsOf(stack).domains.join()) } };
  stack.api.serve(stack, 'reference/documents/documents', {
    ...reference,
    ifItFails: 'Programs cannot read the descriptions of the interfaces.',
  });
  stack.api.serve(stack, 'reference/pages/pages', {
    ...reference,
    ifItFails: 'People cannot read the reference.',
  });
}

/** The stacks that have queues, schedules and alarms. */
const observedStacks = (scope: EdgeStack) => stackNames(stageOf(scope), settingsOf(scope).domains).slice(1, -1);

function authoriser(stack: EdgeStack, accounts: AccountsData) {
  const { table, managers, managersClient, consoleClient } = accounts;
  const issuer = managers.userPoolProviderUrl;
  return new ServiceFunction(stack, 'edge/authorize-managers', {
    bindings: {
      ACCOUNTS_TABLE: table.allows({
        'ACCOUNT#': ['GetItem'],
        'MANAGEMENT_KEY#': ['GetItem', 'UpdateItem'],
        'MANAGEMENT_RATE#': ['UpdateItem'],
        'PERSON#': ['GetItem', 'UpdateItem'],
      }),
      KEY_SECRETS: reads(accounts.managementKeySecrets),
      TOKEN_ISSUER: setting(issuer),
      TOKEN_AUDIENCES: setting(`${managersClient.userPoolClientId} ${consoleClient.userPoolClientId}`),
      CONSOLE_CLIENT: setting(consoleClient.userPoolClientId),
      TOKEN_KEYS_URL: setting(`${issuer}/.well-known/jwks.json`),
    },
    ifItFails: 'Nobody can use the management API.',
    // The time for which the gateway waits for an authoriser.
    timeoutSeconds: 10,
  });
}
