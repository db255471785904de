import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { WEBHOOK_TRIGGER } from '#shared/events/webhook-trigger';
import { setting } from '../../constructs/functions/bindings.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Events of modules, from the API and from the bus, and the runs that they fire. */
export function addEvents(
  scope: Construct,
  { data: { accounts, webhooks }, edge: { api, events } }: Foundations,
): void {
  const { eventConcurrency, eventsPerDay, webhookRetentionDays } = settingsOf(scope);
  const makingRuns = {
    'MATCH#': ['Query'],
    'RULE#': ['BatchGetItem'],
    'CONFIGURATION#': ['GetItem'],
    'RUN#': ['PutItem'],
    'SUBJECT_REQUEST#': ['PutItem'],
  } as const;
  const makesRuns = {
    ACCOUNTS_TABLE: accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }),
    RETENTION_DAYS: setting(webhookRetentionDays),
  };
  api.serve(scope, 'webhooks/events/events', {
    bindings: {
      ...makesRuns,
      WEBHOOKS_TABLE: webhooks.table.allows({ ...makingRuns, 'QUOTA#': ['UpdateItem'] }),
      EVENTS_PER_DAY: setting(eventsPerDay),
    },
    ifItFails: 'Modules cannot announce events over the API, and no webhooks follow from them.',
  });

  api.serve(scope, 'webhooks/subject-requests/subject-requests', {
    bindings: { WEBHOOKS_TABLE: webhooks.table.allows({ 'SUBJECT_REQUEST#': ['GetItem'] }) },
    ifItFails: 'Callers cannot confirm the status of subject requests.',
  });

  const timeoutSeconds = 30;
  const announced = new WorkQueue(scope, 'WebhookEvents', { workerTimeoutSeconds: timeoutSeconds });
  const receiveEvents = new ServiceFunction(scope, 'webhooks/events/receive-events', {
    isBusy: true,
    timeoutSeconds,
    bindings: { ...makesRuns, WEBHOOKS_TABLE: webhooks.table.allows(makingRuns) },
    ifItFails: 'Events on the bus fire no webhooks.',
  });
  // One by one: an event with so many rules that it times out must not fail events of other tenants with it.
  announced.workedOnBy(receiveEvents, { maxConcurrency: eventConcurrency });
  new Rule(scope, 'Triggers', {
    eventBus: events,
    description: 'Events of modules fire webhooks.',
    eventPattern: { detailType: [WEBHOOK_TRIGGER] },
    // Events that the bus cannot deliver for a day go where messages go that cannot be worked on.
    targets: [new SqsQueue(announced.queue, { deadLetterQueue: announced.deadLetters })],
  });
}
