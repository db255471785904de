/** EventBridge behind the AWS endpoint: `PutEvents`, each entry with its own result. */
import { z } from 'zod';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../endpoint/aws-service.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import type { EventBuses } from './event-buses.ts';

const ENTRIES_MAX = 10;
/** Of all entries together. */
const BYTES_MAX = 262_144;
const TARGET = 'AWSEvents.';

const Entry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().default('default'),
  Resources: z.array(z.string()).default([]),
  Time: z.number().optional(),
});
type Entry = z.output<typeof Entry>;

const Input = z.object({ Entries: z.array(Entry).min(1).max(ENTRIES_MAX) });

type EntryResult = { readonly EventId: string } | { readonly ErrorCode: string; readonly ErrorMessage: string };

export class EventsService implements AwsService {
  readonly signingName = 'events';
  private readonly buses: EventBuses;

  constructor(buses: EventBuses) {
    this.buses = buses;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    const action = `events:${actionOf(request)}`;
    const entries = Input.safeParse(inputOf(request)).data?.Entries ?? [];
    if (entries.length === 0) return [{ action, resource: '*' }];
    return entries.map(({ EventBusName, Source = '', DetailType = '' }) => ({
      action,
      resource: this.buses.arnOf(nameOf(EventBusName)),
      context: { 'events:source': Source, 'events:detail-type': DetailType },
    }));
  }

  handle(request: AwsRequest): Promise<AwsResponse> {
    return Promise.resolve(this.answer(request));
  }

  error(status: number, code: string, message: string): AwsResponse {
    return jsonError({ status, code, message, version: '1.1' });
  }

  private answer(request: AwsRequest): AwsResponse {
    const action = actionOf(request);
    if (action !== 'PutEvents') {
      return this.error(501, 'NotImplemented', `The local cloud has PutEvents of EventBridge, not ${action}.`);
    }
    const parsed = Input.safeParse(inputOf(request));
    if (!parsed.success) return this.error(400, 'ValidationException', z.prettifyError(parsed.error));
    const { Entries } = parsed.data;
    if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > BYTES_MAX) {
      return this.error(400, 'ValidationException', 'Total size of the entries in the request is over the limit.');
    }
    const missing = Entries.find(({ EventBusName }) => !this.buses.has(nameOf(EventBusName)));
    if (missing) {
      const message = `Event bus ${nameOf(missing.EventBusName)} does not exist.`;
      return this.error(400, 'ResourceNotFoundException', message);
    }
    const results = Entries.map((entry) => this.put(entry));
    const body = { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) };
  }

  private put({ Source, DetailType, Detail, EventBusName, Resources, Time }: Entry): EntryResult {
    if (!Source) return invalid('Source');
    if (!DetailType) return invalid('DetailType');
    if (Detail === undefined) return invalid('Detail');
    if (Source.startsWith('aws.')) {
      return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
    }
    const detail = objectIn(Detail);
    if (!detail) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const EventId = this.buses.publish(nameOf(EventBusName), {
      source: Source,
      'detail-type': DetailType,
      detail,
      resources: Resources,
      time: Time === undefined ? undefined : new Date(Time * 1000),
    });
    return { EventId };
  }
}

function invalid(name: string): EntryResult {
  return {
    ErrorCode: 'InvalidArgument',
    ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
  };
}

/** As EventBridge counts. */
function sizeOf({ Source = '', DetailType = '', Detail = '', Resources, Time }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : 14);
}

/** Of a name or an ARN. */
const nameOf = (bus: string) => bus.split('/').at(-1) ?? bus;

const actionOf = ({ headers }: AwsRequest) => (headers['x-amz-target'] ?? '').replace(TARGET, '');

function inputOf({ body }: AwsRequest): unknown {
  return objectIn(body.toString('utf8'));
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
