import type { Json } from '../documents/components.ts';

/** The schema as a TypeScript type, for clients. */
export function typeOf(schema: Json): string {
  const { $ref, type, enum: values, const: only, items, anyOf, oneOf } = schema as Schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ');
  if (type === 'array') return `Array<${typeOf(items ?? {})}>`;
  if (type === 'object') return objectType(schema);
  return NAMES[type ?? ''] ?? 'unknown';
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function objectType({ properties = {}, required = [], additionalProperties }: Json): string {
  const members = Object.entries(properties as Readonly<Record<string, Json>>)
    // What the service states and ignores from clients.
    .filter(([, { readOnly = false }]) => !readOnly)
    .map(([name, member]) => memberText({ name, schema: member, isRequired: (required as string[]).includes(name) }));
  if (members.length > 0) return `{\n${members.join('\n')}\n}`;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties as Json) : 'unknown'}>`;
}

interface Member {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  readonly description?: unknown;
}

/** A member of an object type, with its description. */
export function memberText({ name, schema, isRequired, description = schema['description'] }: Member): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${comment(description)}${key}${isRequired ? '' : '?'}: ${typeOf(schema)};`;
}

export const comment = (text: unknown): string =>
  typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /').replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';
