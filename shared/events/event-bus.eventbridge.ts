import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { callLimits } from '#shared/quotas/call-limits';
import { type Origin, traceHeader } from '#shared/telemetry/origin';
import { WEBHOOK_TRIGGER, type WebhookTrigger } from './webhook-trigger.ts';

/** The most events of one call. */
const BATCH = 10;

let ownClient: EventBridgeClient | undefined;

interface EventBus {
  readonly name: string;
  /** The domain that puts the events. */
  readonly source: string;
}

/** Puts events on the bus. @param client @default one for the function */
export const eventBus = ({ name, source }: EventBus, client?: EventBridgeClient) => ({
  /** Throws if the bus rejected some of them; the accepted ones may then be put a second time. */
  async put(events: readonly (WebhookTrigger & Origin)[]): Promise<void> {
    ownClient ??= new EventBridgeClient({ maxAttempts: 4, requestHandler: callLimits(5_000) });
    for (let from = 0; from < events.length; from += BATCH) {
      const { Entries: entries = [] } = await (client ?? ownClient).send(
        new PutEventsCommand({
          Entries: events.slice(from, from + BATCH).map(({ origin, ...event }) => ({
            EventBusName: name,
            Source: source,
            DetailType: WEBHOOK_TRIGGER,
            Detail: JSON.stringify(event),
            Time: new Date(event.time),
            TraceHeader: traceHeader(origin === undefined ? {} : { origin }),
          })),
        }),
      );
      const refused = entries.find(({ ErrorCode: code }) => code !== undefined);
      if (refused) throw new Error(`The event bus rejected an event: ${refused.ErrorCode}.`);
    }
  },
});
