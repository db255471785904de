import * as z from 'zod';
import type { Operation } from '#shared/http/operation';
import { ITEM_ERRORS } from '../items/item-refusal.ts';
import { Options } from '../items/options.ts';
import { DATA_VERSION } from './data-version.ts';
import { ITEMS_MAX, ItemId } from './items.ts';

interface Metered<Route extends Operation['route']> {
  readonly route: Route;
  readonly summary: string;
  /** The beginning of the names of its schemas, such as `Convert`. */
  readonly name: string;
  readonly item: z.ZodType;
  readonly result: z.ZodType;
  /** A request that the operation accepts exactly as shown. */
  readonly example: object;
}

type Json = Record<string, unknown>;

/**
 * A metered operation: one item, or a list of items. Its schemas are written when a document needs them, not when the
 * function starts.
 */
export const meteredOperation = <const Route extends Operation['route']>({
  name,
  item,
  result,
  ...operation
}: Metered<Route>) => ({
  ...operation,
  description:
    'One item, or up to 100 in `items`. A list answers 200 as soon as one item went well; each result has its own status.',
  get body() {
    return requestSchema(name, jsonOf(item, 'input'));
  },
  get answers() {
    return { 200: answerSchema(name, jsonOf(result, 'output')) };
  },
  headers: QUOTA_HEADERS,
  errors: {
    400: ['malformed-json', 'invalid-request'],
    406: ['not-acceptable'],
    409: ['idempotency-in-progress'],
    413: ['payload-too-large'],
    415: ['unsupported-media-type'],
    422: ['all-items-failed', 'idempotency-key-reused', ...ITEM_ERRORS],
    429: ['quota-exceeded'],
    503: ['deadline'],
  },
});

/** The quota headers, which every answer of a metered operation has. */
const QUOTA_HEADERS = {
  'X-Quota-Limit': 'Conversions that are included in the period, or the size of the test pool.',
  'X-Quota-Remaining': 'Of these, before this request.',
  'X-Quota-Cost': 'What this request costs: 1, or 0 if it does not count.',
  'X-Quota-Overage': 'Conversions beyond those included, with a live key of a paid plan.',
  'X-Quota-Hard-Limit': 'Conversions after which all are refused, with a live key of a paid plan that has a limit.',
  'Idempotent-Replayed': '`true` if this is the stored answer to an earlier request with the same Idempotency-Key.',
};

const requestSchema = (name: string, item: Json) =>
  z
    .union([
      written(`${name}One`, withMembers(item, { options: { $ref: '#/components/schemas/Options' } })),
      z
        .strictObject({
          items: z
            .array(written(`${name}Item`, withMembers(item, { id: jsonOf(ItemId, 'input') })))
            .min(1)
            .max(ITEMS_MAX),
          options: Options.meta({ id: 'Options' }).optional(),
        })
        .meta({ id: `${name}List` }),
    ])
    .meta({ id: `${name}Request` });

function answerSchema(name: string, result: Json) {
  const dataVersion = { type: 'string', examples: [DATA_VERSION] };
  const id = jsonOf(ItemId, 'input');
  const members = { id, status: { type: 'string', enum: ['ok'] } };
  return z
    .union([
      written(`${name}Result`, withMembers(result, { dataVersion }, ['dataVersion'])),
      z
        .strictObject({
          results: z.array(
            z.union([written(`${name}ItemResult`, withMembers(result, members, ['status'])), FailedItem]),
          ),
          dataVersion: z.string().meta({ examples: [DATA_VERSION] }),
        })
        .meta({ id: `${name}Results` }),
    ])
    .meta({ id: `${name}Answer` });
}

/** A schema that is written as JSON. */
const written = (id: string, json: Json) => z.unknown().meta({ id, ...json });

/** The members of an item's error beside its code: what was meant, the readings, and the place. */
const facts = {
  suggestion: z.string().optional().meta({ description: 'What may have been meant.' }),
  candidates: z.array(z.string()).optional().meta({ description: 'The readings of an ambiguous value.' }),
  pointer: z.string().optional().meta({ description: 'JSON pointer into the item.' }),
};

const FailedItem = z
  .strictObject({
    id: z.string().optional(),
    status: z.enum(['error']),
    error: z.strictObject({ code: z.enum(ITEM_ERRORS), detail: z.string(), ...facts }).meta({ id: 'ItemError' }),
  })
  .meta({ id: 'FailedItem' });

function jsonOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
}

/** Adds members to an object schema, or to each schema of a choice. */
function withMembers(schema: Json, members: Json, required: readonly string[] = []): Json {
  for (const choice of ['anyOf', 'oneOf'] as const) {
    const options = schema[choice];
    // Beside `properties`, a choice is only a condition on them.
    if (Array.isArray(options) && schema['properties'] === undefined)
      return { ...schema, [choice]: options.map((one: Json) => withMembers(one, members, required)) };
  }
  const existing = (schema['required'] as readonly string[] | undefined) ?? [];
  const all = [...existing, ...required];
  return {
    ...schema,
    properties: { ...members, ...(schema['properties'] as Json) },
    ...(all.length > 0 && { required: all }),
  };
}
