import * as z from 'zod';
import type { Operation } from '#shared/http/operation';
import { ITEM_ERRORS } from '../items/item-refusal.ts';
import { Options } from '../items/options.ts';
import { DATA_VERSION } from './data-version.ts';
import { ITEMS_MAX, ItemId } from './items.ts';

/** An object, or a choice of objects by their kind. */
type ItemSchema = z.ZodObject | z.ZodDiscriminatedUnion<readonly z.ZodObject[], 'kind'>;

interface Metered<Route extends Operation['route']> {
  readonly route: Route;
  readonly summary: string;
  /** The beginning of the names of its schemas, such as `Convert`. */
  readonly name: string;
  readonly item: ItemSchema;
  readonly result: z.ZodObject;
  /** A request that the operation accepts exactly as shown. */
  readonly example: object;
}

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
    return requestSchema(name, item);
  },
  get answers() {
    return { 200: answerSchema(name, result) };
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

function requestSchema(name: string, item: ItemSchema) {
  const options = Options.meta({ id: 'Options' }).optional();
  const items = z
    .array(extended(item, `${name}Item`, { id: ItemId.optional() }))
    .min(1)
    .max(ITEMS_MAX);
  return z
    .union([extended(item, `${name}One`, { options }), z.strictObject({ items, options }).meta({ id: `${name}List` })])
    .meta({ id: `${name}Request` });
}

function answerSchema(name: string, result: z.ZodObject) {
  const dataVersion = z.string().meta({ examples: [DATA_VERSION] });
  const ofItem = { id: ItemId.optional(), status: z.enum(['ok']) };
  const results = z.array(z.union([extended(result, `${name}ItemResult`, ofItem), FailedItem]));
  return z
    .union([
      extended(result, `${name}Result`, { dataVersion }),
      z.strictObject({ results, dataVersion }).meta({ id: `${name}Results` }),
    ])
    .meta({ id: `${name}Answer` });
}

/** Adds members to a schema, or to each of a choice, under names of their own, since generators make types of them. */
function extended(schema: ItemSchema, id: string, members: z.core.$ZodShape): z.ZodType {
  if (schema instanceof z.ZodObject) return schema.safeExtend(members).meta({ ...schema.meta(), id });
  const named = schema.options.map((one) => {
    const [kind = ''] = one.shape['kind'].values;
    return { kind, one, name: `${id}${kind.charAt(0).toUpperCase()}${kind.slice(1)}` };
  });
  const options = named.map(({ one, name }) => extended(one, name, members));
  const mapping = Object.fromEntries(named.map(({ kind, name }) => [kind, `#/components/schemas/${name}`]));
  return z.discriminatedUnion('kind', options as never).meta({ id, discriminator: { propertyName: 'kind', mapping } });
}

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
