import * as z from 'zod';

/** JSON, of which each reader knows its part. */
export type Json = Readonly<Record<string, unknown>>;

interface Options {
  /** True for tests, which find members that no schema describes. Clients must accept new members. @default false */
  readonly isStrict?: boolean;
}

/** Collects the named schemas of a document while its parts are written. */
export class Components {
  private readonly schemas = new Map<string, Json>();
  private readonly isStrict: boolean;

  constructor({ isStrict = false }: Options = {}) {
    this.isStrict = isStrict;
  }

  /** The JSON schema of a value as callers send it, or as they get it. Named parts become references. */
  schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
    // Within an object, a named schema becomes a reference like all others.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ value: schema as z.ZodType }), {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => this.adapt(jsonSchema, io),
    });
    for (const [name, definition] of Object.entries($defs)) {
      this.add(name, forGenerators(definition));
    }
    return forGenerators(properties?.['value']) as Json;
  }

  /** Adds a schema that is written by hand. */
  add(name: string, schema: unknown): Json {
    const earlier = this.schemas.get(name);
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are named ${name}.`);
    }
    this.schemas.set(name, schema as Json);
    return { $ref: `#/components/schemas/${name}` };
  }

  all(): Json {
    return Object.fromEntries([...this.schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  private adapt(json: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
    delete json['id'];
    // The pattern of a time says what its format says, in two hundred characters.
    if (json.format === 'date-time' || json.format === 'date') delete json.pattern;
    // Generators know lists of one kind of item only.
    if (json.prefixItems) {
      const { length } = json.prefixItems;
      Object.assign(json, { items: json.prefixItems[0], minItems: length, maxItems: length });
      delete json.prefixItems;
    }
    if (json.type === 'integer') json.format = 'int64';
    // Generators for Go otherwise take numbers of 32 bits, which are too coarse for positions.
    if (json.type === 'number') json.format = 'double';
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
    if (io === 'output' && !this.isStrict && json.additionalProperties === false) delete json.additionalProperties;
    // A file is bytes by its format.
    if (json.format === 'binary') delete json.contentEncoding;
    // Generators know no schemas for the names of members.
    delete json.propertyNames;
  }
}

/**
 * Returns the schema as generators of clients take it: references to where a document has its schemas, a choice in
 * place of a list of types, and a pattern in place of an enum that has a control character, since they make names of
 * its values. Schemas that are written as JSON pass here too.
 */
function forGenerators(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forGenerators);
  if (typeof value !== 'object' || value === null) return value;
  const schema: Json = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : forGenerators(member),
    ]),
  );
  const { type, enum: values } = schema;
  if (Array.isArray(type)) return choiceOf(schema, type);
  return Array.isArray(values) && values.some(hasControl) ? patternOf(schema, values) : schema;
}

/** The members of a schema that hold whichever type a value has. */
const OF_ALL_TYPES = new Set(['description', 'default', 'examples', 'readOnly']);

function choiceOf({ type: _, ...members }: Json, types: readonly unknown[]): Json {
  const all = Object.entries(members).filter(([name]) => OF_ALL_TYPES.has(name));
  const own = Object.fromEntries(Object.entries(members).filter(([name]) => !OF_ALL_TYPES.has(name)));
  const { enum: values } = own;
  const valued = Array.isArray(values) ? { ...own, enum: values.filter((value) => value !== null) } : own;
  const { maxLength: _length, ...ofOthers } = valued;
  const anyOf = types.map((type) => ({ type, ...(type !== 'null' && (type === 'string' ? valued : ofOthers)) }));
  return { ...Object.fromEntries(all), anyOf };
}

function patternOf({ enum: _, ...schema }: Json, values: readonly unknown[]): Json {
  return { ...schema, pattern: `^(?:${values.map((value) => escapedPattern(String(value))).join('|')})$` };
}

const hasControl = (value: unknown) => typeof value === 'string' && /\p{Cc}/u.test(value);
const escapedPattern = (text: string) =>
  text.replaceAll(/[^\w]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
