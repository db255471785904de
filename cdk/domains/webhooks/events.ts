import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type * as TriggerRuns from '../../../functions/webhooks/events/events.handler.ts';
import type * as ReceiveEvents from '../../../functions/webhooks/events/receive-events.handler.ts';
import { setting } from '../../constructs/bindings.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { WorkQueue } from '../../constructs/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { WebhooksProps } from './webhooks-data.ts';

/** What happens in modules, over the API and over the bus, and the runs that follow. */
export function addEvents(scope: Construct, { api, data: { table }, events }: WebhooksProps): void {
  const { eventConcurrency, webhookRetentionDays } = settingsOf(scope);
  const makesRuns = {
    WEBHOOKS_TABLE: table.allows('GetItem', 'BatchGetItem', 'Query', 'PutItem'),
    RETENTION_DAYS: setting(webhookRetentionDays),
  };
  const triggerRuns = new ServiceFunction<TriggerRuns.Env>(scope, 'TriggerRuns', {
    handlerOf: 'webhooks/events/events',
    bindings: makesRuns,
    ifItFails: 'Modules cannot announce events over the API, and no webhooks follow from them.',
  });
  api.managementRoute('POST', '/manage/v1/events', triggerRuns);

  const announced = new WorkQueue(scope, 'WebhookEvents', {
    workerTimeoutSeconds: 30,
    ifItFails: 'Events on the bus make no webhooks.',
  });
  const receiveEvents = new ServiceFunction<ReceiveEvents.Env>(scope, 'ReceiveEvents', {
    handlerOf: 'webhooks/events/receive-events',
    timeoutSeconds: 30,
    bindings: makesRuns,
    ifItFails: 'Events on the bus make no webhooks.',
  });
  // One by one: whoever has so many rules that an event takes too long must not take those of others along.
  announced.workedOnBy(receiveEvents, { maxConcurrency: eventConcurrency });
  new Rule(scope, 'Triggers', {
    eventBus: events,
    description: 'What happens in a module fires webhooks.',
    eventPattern: { detailType: ['webhook.trigger'] },
    // What the bus cannot hand over for a day ends where what cannot be worked on does.
    targets: [new SqsQueue(announced.queue, { deadLetterQueue: announced.deadLetters })],
  });
}
