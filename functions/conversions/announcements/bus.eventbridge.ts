import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { callLimits } from '#shared/call-limits';
import { WEBHOOK_TRIGGER, type WebhookTrigger } from '#shared/events/webhook-trigger';

const SOURCE = 'conversions';

let ownClient: EventBridgeClient | undefined;

/** Puts events on the bus, those that the bus did not take are thrown about. @param client @default one for the function */
export const bus = (busName: string, client?: EventBridgeClient) => ({
  async put(event: WebhookTrigger): Promise<void> {
    ownClient ??= new EventBridgeClient({ maxAttempts: 4, requestHandler: callLimits(5_000) });
    const { Entries: [entry] = [] } = await (client ?? ownClient).send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: busName,
            Source: SOURCE,
            DetailType: WEBHOOK_TRIGGER,
            Detail: JSON.stringify(event),
            Time: new Date(event.time),
          },
        ],
      }),
    );
    if (entry?.ErrorCode) throw new Error(`The bus did not take an event: ${entry.ErrorCode}.`);
  },
});
