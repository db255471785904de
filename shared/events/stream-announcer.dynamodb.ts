import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { noteSeen, probeIn, sendProbe, wasSeen } from '#shared/events/stream-probe.dynamodb';
import { invocation } from '#shared/invocation';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import type { Item, Table } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log, tenantIn } from '#shared/telemetry/log';
import { type Origin, originOf } from '#shared/telemetry/origin';
import type { WebhookTrigger } from './webhook-trigger.ts';

interface Announcing {
  readonly table: Table;
  readonly bus: { readonly put: (events: readonly (WebhookTrigger & Origin)[]) => Promise<void> };
  /** The noun for the log, in singular and plural. */
  readonly named: readonly [one: string, several: string];
  /**
   * Returns the event of an item, if it has one; throws for an unreadable item. The same change always has the same
   * event id.
   */
  readonly eventOf: (item: Item) => WebhookTrigger | undefined;
  readonly now: () => number;
}

/**
 * A handler of a table's stream that puts the events of changed items on the bus. After a failure the whole batch is
 * retried, and events may be put again with the same ids.
 */
export const streamAnnouncer = ({ table, bus, named: [one, several], eventOf, now }: Announcing) =>
  invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    try {
      const items = records.map(itemIn);
      const probes = items.flatMap((item) => probeIn(item) ?? []);
      await bus.put(items.flatMap((item) => (probeIn(item) === undefined ? readable(item) : [])));
      for (const sentAt of probes) await noteSeen(table, sentAt, now());
      return { batchItemFailures: [] };
    } catch (error) {
      log.error(`${several} not announced`, { error, records: records.length });
      countFault();
      return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
    }

    /** Skips an unreadable item, so that it does not block the others. */
    function readable(item: Item): readonly (WebhookTrigger & Origin)[] {
      try {
        const event = eventOf(item);
        return event ? [{ ...event, ...originOf(item) }] : [];
      } catch (error) {
        log.error(`unreadable ${one}`, { error, pk: item['pk'], ...tenantIn(item) });
        countFault();
        return [];
      }
    }
  });

const itemIn = ({ dynamodb }: DynamoDBRecord): Item =>
  unmarshall((dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0]);

/** Counts a fault if the announcer of this table has not read the last hourly probe, and sends another one. */
export const announcerProbe = (table: Table, several: string, now: () => number) =>
  scheduled(async () => {
    if (!(await wasSeen(table))) {
      log.error(`the stream of the table is not read: ${several} wait to be announced`);
      countFault();
    }
    await sendProbe(table, now());
  });
