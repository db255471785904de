import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { setting } from '../../constructs/bindings.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { WorkQueue } from '../../constructs/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/domain-stack.ts';

/** What happens in modules, over the API and over the bus, and the runs that follow. */
export function addEvents(scope: Construct, { data: { webhooks }, edge: { api, events } }: Foundations): void {
  const { eventConcurrency, webhookRetentionDays } = settingsOf(scope);
  const makesRuns = {
    WEBHOOKS_TABLE: webhooks.table.allows({
      'MATCH#': ['Query'],
      'RULE#': ['BatchGetItem'],
      'CONFIGURATION#': ['GetItem'],
      'RUN#': ['PutItem'],
    }),
    RETENTION_DAYS: setting(webhookRetentionDays),
  };
  api.serve(
    new ServiceFunction(scope, 'webhooks/events/events', {
      bindings: makesRuns,
      ifItFails: 'Modules cannot announce events over the API, and no webhooks follow from them.',
    }),
  );

  const timeoutSeconds = 30;
  const announced = new WorkQueue(scope, 'WebhookEvents', { workerTimeoutSeconds: timeoutSeconds });
  const receiveEvents = new ServiceFunction(scope, 'webhooks/events/receive-events', {
    timeoutSeconds,
    bindings: makesRuns,
    ifItFails: 'Events on the bus make no webhooks.',
  });
  // One by one: an event with so many rules that it takes too long must not take those of other tenants along.
  announced.workedOnBy(receiveEvents, { maxConcurrency: eventConcurrency });
  new Rule(scope, 'Triggers', {
    eventBus: events,
    description: 'What happens in a module fires webhooks.',
    eventPattern: { detailType: ['webhook.trigger'] },
    // What the bus cannot hand over for a day ends where what cannot be worked on does.
    targets: [new SqsQueue(announced.queue, { deadLetterQueue: announced.deadLetters })],
  });
}
