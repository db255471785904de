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
      this.add(name, referring(definition));
    }
    return referring(properties?.['value']) as Json;
  }

  /** Adds a schema that is written by hand. */
  add(name: string, schema: unknown): Json {
    const known = this.schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
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
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
    if (io === 'output' && !this.isStrict && json.additionalProperties === false) delete json.additionalProperties;
    // Generators make names of the values of an enum, which a control character breaks.
    if (json.enum?.some((value) => typeof value === 'string' && CONTROL.test(value))) {
      json.pattern = `^(?:${json.enum.map((value) => escapedPattern(String(value))).join('|')})$`;
      delete json.enum;
    }
    // A file is bytes by its format.
    if (json.format === 'binary') delete json.contentEncoding;
    // Generators know no schemas for the names of members.
    delete json.propertyNames;
  }
}

const CONTROL = /\p{Cc}/u;
const escapedPattern = (text: string) =>
  text.replaceAll(/[^\w]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the schema with references to where a document has its schemas. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : referring(member),
    ]),
  );
}
