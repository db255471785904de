/** EventBridge behind the AWS endpoint: `PutEvents`, each entry with its own result. */
import { z } from 'zod';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { JsonService, type Operations, operationsOf } from '../endpoint/json-service.ts';
import type { EventBuses } from './event-buses.ts';

const ENTRIES_MAX = 10;
/** The limit of all entries together. */
const BYTES_MAX = 262_144;

const Entry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().default('default'),
  Resources: z.array(z.string()).default([]),
  Time: z.number().optional(),
  TraceHeader: z.string().optional(),
});
type Entry = z.output<typeof Entry>;

const Input = z.object({ Entries: z.array(Entry).min(1).max(ENTRIES_MAX) });

type EntryResult = { readonly EventId: string } | { readonly ErrorCode: string; readonly ErrorMessage: string };

const PROTOCOL = { signingName: 'events', product: 'EventBridge', target: 'AWSEvents.', version: '1.1' } as const;

const OPERATIONS: Operations<EventBuses> = {
  PutEvents: operationsOf<EventBuses>('ValidationException')(Input, (buses, { Entries }) => ({
    permissions: Entries.map(({ EventBusName, Source = '', DetailType = '' }) => ({
      action: 'events:PutEvents',
      resource: buses.arnOf(nameOf(EventBusName)),
      context: { 'events:source': Source, 'events:detail-type': DetailType },
    })),
    answer: ({ headers }) => putEvents(buses, Entries, headers['x-amzn-trace-id']),
  })),
};

export class EventsService extends JsonService<EventBuses> {
  constructor(buses: EventBuses) {
    super(PROTOCOL, OPERATIONS, buses);
  }
}

function putEvents(buses: EventBuses, entries: readonly Entry[], traceHeader: string | undefined): object {
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > BYTES_MAX) {
    throw new CallRefusal(400, 'ValidationException', 'Total size of the entries in the request is over the limit.');
  }
  const missing = entries.find(({ EventBusName }) => !buses.has(nameOf(EventBusName)));
  if (missing) {
    const message = `Event bus ${nameOf(missing.EventBusName)} does not exist.`;
    throw new CallRefusal(400, 'ResourceNotFoundException', message);
  }
  const results = entries.map((entry) => put(buses, { TraceHeader: traceHeader, ...entry }));
  return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
}

function put(buses: EventBuses, entry: Entry): EntryResult {
  const { Source, DetailType, Detail, EventBusName, Resources, Time, TraceHeader } = entry;
  if (!Source) return invalid('Source');
  if (!DetailType) return invalid('DetailType');
  if (Detail === undefined) return invalid('Detail');
  if (Source.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  const detail = objectIn(Detail);
  if (!detail) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  const EventId = buses.publish(nameOf(EventBusName), {
    source: Source,
    'detail-type': DetailType,
    detail,
    resources: Resources,
    time: Time === undefined ? undefined : new Date(Time * 1000),
    traceHeader: TraceHeader,
  });
  return { EventId };
}

function invalid(name: string): EntryResult {
  return {
    ErrorCode: 'InvalidArgument',
    ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
  };
}

/** Counts the bytes of an entry as EventBridge does. */
function sizeOf({ Source = '', DetailType = '', Detail = '', Resources, Time }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : 14);
}

/** Returns the name of a bus that is given by its name or ARN. */
const nameOf = (bus: string) => bus.split('/').at(-1) ?? bus;

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
