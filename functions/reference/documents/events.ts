import * as z from 'zod';
import { COMMON_VARIABLES } from '#shared/events/built-in-events';
import type { Components, Json } from './components.ts';

/** An event of a built-in trigger, with the schema of its data. */
export interface DescribedEvent {
  readonly trigger: string;
  readonly name: string;
  readonly data: { readonly shape: Readonly<Record<string, z.core.$ZodType>> };
}

/** The group of events in a document. */
export const EVENTS_TAG = {
  name: 'Own events',
  description:
    'The events that the service announces itself, each with its variables. The body of a request is what the rule says, and `timestamp` where it says none; a rule that has every variable under its own name, such as `"requestId": "{{requestId}}"`, sends the body that is described here.',
} as const;

/** The requests that receivers get for each event, as `webhooks` of a document. */
export const webhooksOf = (events: readonly DescribedEvent[], components: Components): Json =>
  Object.fromEntries(events.map((event) => [lowerFirst(event.name), { post: webhookOf(event, components) }]));

/**
 * Some generators take these for operations of the API. openapi-generator leaves out what is internal, and otherwise writes
 * Python that does not compile. oapi-codegen leaves out components that no path leads to, so a body has its schema in place.
 */
function webhookOf({ trigger, name, data }: DescribedEvent, components: Components): Json {
  const body = z
    .object({ ...COMMON_VARIABLES, ...(data.shape as z.ZodRawShape), timestamp: Timestamp })
    .meta({ description: `The variables of the trigger \`${trigger}\`.` });
  const schema = { ...components.schemaOf(body, 'output') };
  schema['properties'] = Object.fromEntries(
    Object.entries(schema['properties'] as Readonly<Record<string, Json>>).map(([name, member]) => [
      name,
      orNull(member),
    ]),
  );
  return {
    operationId: lowerFirst(name),
    summary: trigger,
    description: `Sent by rules on the trigger \`${trigger}\`.`,
    tags: [EVENTS_TAG.name],
    'x-internal': true,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      200: { description: 'Any status from 200 to 299: delivered. Anything else is tried again.', headers: {} },
    },
  };
}

/** Writes a choice between a type and null as a list of types: openapi-generator stops at the choice in a webhook. */
function orNull({ anyOf, ...member }: Json): Json {
  const [one, other] = (anyOf ?? []) as readonly (Json | undefined)[];
  if (!Array.isArray(anyOf)) return member;
  return other?.['type'] === 'null' ? { ...one, ...member, type: [one?.['type'], 'null'] } : { ...member, anyOf };
}

const Timestamp = z.iso.datetime().meta({ description: 'When the run was created.' });

const SIGNED = 'With `signature: standard-webhooks` only.';
const HEADERS = [
  {
    name: 'X-Service-Idempotency-Key',
    in: 'header',
    description: 'The same for all attempts and replays of a run: process it once.',
    required: true,
    schema: { type: 'string' },
  },
  ...Object.entries({
    'webhook-id': 'The idempotency key.',
    'webhook-timestamp': 'Seconds since 1970 at the attempt.',
    'webhook-signature': '`v1,` and HMAC-SHA256 of id, timestamp and body in base64, one for each valid secret.',
  }).map(([name, meaning]) => ({
    name,
    in: 'header',
    description: `${meaning} ${SIGNED}`,
    schema: { type: 'string' },
  })),
];

const lowerFirst = (name: string) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
