import * as z from 'zod';
import { ITEM_ERRORS } from '../items/item-refusal.ts';
import { Options } from '../items/options.ts';
import { DATA_VERSION } from '../serving/data-version.ts';
import { ITEMS_MAX, ItemId } from '../serving/items.ts';
import { PROBLEMS } from '../serving/problem.ts';
import { Usage } from '../usage/usage.ts';

/** A metered route, as far as its description goes. */
export interface DescribedRoute {
  readonly name: 'convert' | 'normalize' | 'validate' | 'enrich';
  readonly summary: string;
  readonly item: z.ZodType;
  readonly result: z.ZodType;
  /** A request that the interface accepts exactly as shown. */
  readonly example: object;
}

export type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
};

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

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
export const titled = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

/** All schemas of the document, generated from those that check requests. */
export const schemasOf = (routes: readonly DescribedRoute[]): Json => ({
  ...routeSchemas(routes),
  Options: schemaOf(Options, 'input'),
  Usage: schemaOf(Usage, 'output'),
  ...sharedSchemas(),
});

function routeSchemas(routes: readonly DescribedRoute[]): Json {
  const id = schemaOf(ItemId, 'input');
  const options = ref('schemas', 'Options');
  return Object.fromEntries(
    routes.flatMap(({ name, item, result }) => {
      const [one, answer] = [schemaOf(item, 'input'), schemaOf(result, 'output')];
      const title = titled(name);
      const listed = {
        anyOf: [withMembers(answer, { id, status: { const: 'ok' } }, ['status']), ref('schemas', 'FailedItem')],
      };
      return [
        [`${title}Request`, { anyOf: [ref('schemas', `${title}One`), ref('schemas', `${title}List`)] }],
        [`${title}One`, withMembers(one, { options })],
        [`${title}List`, list(withMembers(one, { id }), options)],
        [
          `${title}Answer`,
          {
            anyOf: [withMembers(answer, { dataVersion: VERSION }, ['dataVersion']), ref('schemas', `${title}Results`)],
          },
        ],
        [`${title}Results`, results(listed)],
      ];
    }),
  );
}

const VERSION = { type: 'string', examples: [DATA_VERSION] };

const list = (items: Json, options: Json) => ({
  type: 'object',
  properties: { items: { type: 'array', minItems: 1, maxItems: ITEMS_MAX, items }, options },
  required: ['items'],
  additionalProperties: false,
});

const results = (items: Json) => ({
  type: 'object',
  properties: { results: { type: 'array', items }, dataVersion: VERSION },
  required: ['results', 'dataVersion'],
  additionalProperties: false,
});

function sharedSchemas(): Json {
  const text = { type: 'string' };
  const facts = {
    suggestion: { ...text, description: 'What may have been meant.' },
    candidates: { type: 'array', items: text, description: 'The readings of an ambiguous value.' },
    pointer: { ...text, description: 'JSON pointer into the item.' },
  };
  return {
    FailedItem: {
      type: 'object',
      properties: {
        id: text,
        status: { const: 'error' },
        error: {
          type: 'object',
          properties: { code: { type: 'string', enum: [...ITEM_ERRORS] }, detail: text, ...facts },
          required: ['code', 'detail'],
          additionalProperties: false,
        },
      },
      required: ['status', 'error'],
      additionalProperties: false,
    },
    Problem: {
      type: 'object',
      description: 'RFC 9457. Decide by type or code: both are stable.',
      properties: {
        type: { type: 'string', format: 'uri' },
        title: text,
        status: { type: 'integer' },
        detail: text,
        instance: text,
        code: { type: 'string', enum: Object.keys(PROBLEMS) },
        errors: {
          type: 'array',
          items: { type: 'object', properties: { pointer: text, detail: text }, required: ['pointer', 'detail'] },
        },
        ...facts,
      },
      required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
    },
  };
}
