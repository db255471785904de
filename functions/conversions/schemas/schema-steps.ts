import type { Schema, VettedSchema } from './caller-schema.ts';
import { isJsonObject, type Json, SchemaFault } from './plain-json.ts';

/** The most steps: they take some 50 ms, and can produce 20 MB of errors. */
const STEPS_MAX = 100_000;
/** The number of characters that cost as much to read as one step of a schema. */
const CHARACTERS_A_STEP = 200;
/**
 * The number of pattern steps that cost as much as one step of a schema, for a text that makes the pattern build ever
 * new states.
 */
const PATTERN_STEPS_A_STEP = 10;

/**
 * Refuses a schema that may need too many steps for this record. Every branch and every pattern is taken to apply, so
 * the count is never too small, and it does not depend on how fast the machine is.
 */
export function boundSteps(schema: VettedSchema, record: Json): void {
  new Count(schema).schema(schema.root, record);
}

class Count {
  readonly #vetted: VettedSchema;
  /** The steps of a schema for a value; undefined while they are being counted. */
  readonly #stepsBySchema = new Map<Schema, Map<Json, number | undefined>>();
  readonly #sizes = new Map<Json, number>();
  #visits = 0;

  constructor(vetted: VettedSchema) {
    this.#vetted = vetted;
  }

  schema(schema: Schema, value: Json): number {
    if (typeof schema === 'boolean') return 1;
    const stepsByValue = this.#stepsBySchema.get(schema) ?? new Map<Json, number | undefined>();
    this.#stepsBySchema.set(schema, stepsByValue);
    if (stepsByValue.has(value))
      return stepsByValue.get(value) ?? tooMuch('The schema refers to itself for one and the same value.');
    stepsByValue.set(value, undefined);
    this.#visits += 1;
    let steps = 1;
    for (const [keyword, content] of Object.entries(schema)) {
      steps += this.#keyword(keyword, content, value);
      if (steps + this.#visits > STEPS_MAX)
        tooMuch('The schema needs too many steps for this record. Make it simpler.');
    }
    stepsByValue.set(value, steps);
    return steps;
  }

  #keyword(keyword: string, content: Json, value: Json): number {
    const all = (schemas: Iterable<Json>, of: Json) => sum(schemas, (schema) => this.schema(schema as Schema, of));
    switch (keyword) {
      case '$ref':
        return this.schema(this.#vetted.targets.get((content as string).replace('#/$defs/', ''))!, value);
      case 'not':
      case 'if':
      case 'then':
      case 'else':
        return this.schema(content as Schema, value);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return all(content as Json[], value);
      case 'dependentSchemas':
        return sum(Object.entries(content as Record<string, Json>), ([name, schema]) =>
          isJsonObject(value) && Object.hasOwn(value, name) ? 1 + this.schema(schema as Schema, value) : 1,
        );
      default:
        return typeof value === 'object' && value !== null
          ? this.#ofMembers(keyword, content, value)
          : this.#ofScalar(keyword, content, value);
    }
  }

  #ofMembers(keyword: string, content: Json, value: Json & object): number {
    const members: readonly Json[] = Object.values(value);
    const each = (schema: Json) => sum(members, (member) => this.schema(schema as Schema, member));
    switch (keyword) {
      case 'items':
      case 'contains':
      case 'additionalProperties':
      case 'unevaluatedItems':
        return each(content);
      case 'unevaluatedProperties':
        refuseInheritedNames(value);
        return each(content);
      case 'propertyNames':
        return isJsonObject(value) ? sum(Object.keys(value), (name) => this.schema(content as Schema, name)) : 0;
      case 'prefixItems':
        return Array.isArray(value)
          ? sum((content as Json[]).slice(0, value.length).entries(), ([at, schema]) =>
              this.schema(schema as Schema, value[at]),
            )
          : 0;
      case 'properties':
        return sum(Object.entries(content as Record<string, Json>), ([name, schema]) =>
          Object.hasOwn(value, name) ? 1 + this.schema(schema as Schema, (value as Record<string, Json>)[name]!) : 1,
        );
      case 'patternProperties':
        return sum(
          Object.entries(content as Record<string, Json>),
          ([source, schema]) => sum(Object.keys(value), (name) => 1 + this.#pattern(source, name)) + each(schema),
        );
      case 'uniqueItems':
        return Array.isArray(value) && content === true ? value.length * this.#size(value) : 1;
      default:
        return this.#comparison(keyword, content, value);
    }
  }

  #ofScalar(keyword: string, content: Json, value: Json): number {
    if (typeof value === 'string') {
      if (keyword === 'pattern') return this.#pattern(content as string, value);
      if (keyword === 'format') return 1 + value.length / 10;
      if (keyword === 'minLength' || keyword === 'maxLength') return 1 + value.length / CHARACTERS_A_STEP;
    }
    return this.#comparison(keyword, content, value);
  }

  #comparison(keyword: string, content: Json, value: Json): number {
    if (keyword === 'enum') return (content as Json[]).length * this.#size(value);
    if (keyword === 'const') return this.#size(value);
    if (keyword === 'required') return (content as Json[]).length;
    if (keyword === 'dependentRequired') return sum(Object.values(content as object), (names) => 1 + names.length);
    return 1;
  }

  #pattern(source: string, text: string): number {
    return 1 + (this.#vetted.patterns.get(source)!.size * (text.length + 1)) / PATTERN_STEPS_A_STEP;
  }

  /** Counts the values in a value, itself included. */
  #size(value: Json): number {
    if (typeof value !== 'object' || value === null) return 1;
    const cached = this.#sizes.get(value);
    if (cached !== undefined) return cached;
    const size = 1 + sum(Object.values(value), (member) => this.#size(member));
    this.#sizes.set(value, size);
    return size;
  }
}

function sum<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) {
    total += of(item);
    if (total > STEPS_MAX) tooMuch('The schema needs too many steps for this record. Make it simpler.');
  }
  return total;
}

/** Members that the code compiled by ajv would take for evaluated, because it looks their names up in a plain object. */
function refuseInheritedNames(value: object) {
  const name = Object.keys(value).find((name) => name in Object.prototype);
  if (name === undefined) return;
  throw new SchemaFault('', `A record with a member "${name}" cannot be checked with unevaluatedProperties.`);
}

function tooMuch(detail: string): never {
  throw new SchemaFault('', detail);
}
