import { type Pattern, PatternFault, patternOf } from './pattern.ts';
import { isJsonObject, type Json, plainSchema, SchemaFault } from './plain-json.ts';
import { pointerTo } from './pointer.ts';
import {
  DEFINITIONS,
  FORMATS,
  HOLDS_NAMED_SCHEMAS,
  HOLDS_SCHEMA,
  HOLDS_SCHEMAS,
  UNSUPPORTED,
  VALUES,
} from './schema-keywords.ts';

export type Schema = boolean | { readonly [keyword: string]: Json };

/** A caller's schema, rebuilt from the keywords that are known to be safe. No other part of it reaches ajv. */
export interface VettedSchema {
  readonly root: Schema;
  /** The schemas that `$ref`s lead to, by the names that they have in the definitions. */
  readonly targets: ReadonlyMap<string, Schema>;
  readonly patterns: ReadonlyMap<string, Pattern>;
}

const BYTES_MAX = 64 * 1024;
const SUBSCHEMAS_MAX = 300;
const PATTERNS_MAX = 50;
const NAMES_MAX = 1_000;
/** The most instructions of all patterns; `.{1,1000}` has 2,000. */
const PATTERN_SIZE_MAX = 5_000;
const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Throws a `SchemaFault` for anything that is not JSON Schema 2020-12 or could be used to attack. */
export function vettedSchema(source: unknown): VettedSchema {
  const plain = plainSchema(source);
  if (Buffer.byteLength(JSON.stringify(plain) ?? '') > BYTES_MAX) {
    throw new SchemaFault('', `The schema is larger than ${BYTES_MAX / 1024} KB.`);
  }
  if (isJsonObject(plain)) refuseOtherDraft(plain);
  const vetting = new Vetting();
  vetting.find(plain, '');
  vetting.resolve();
  const root = vetting.rebuilt('');
  const targets = new Map([...vetting.targets].map(([pointer, name]) => [name, vetting.content(pointer)]));
  return { root, targets, patterns: vetting.patterns };
}

function refuseOtherDraft({ $schema }: { readonly [keyword: string]: Json }) {
  if ($schema === undefined || $schema === DRAFT || $schema === `${DRAFT}#`) return;
  throw new SchemaFault('/$schema', `Schemas are read as JSON Schema 2020-12, so $schema can only be "${DRAFT}".`);
}

class Vetting {
  readonly patterns = new Map<string, Pattern>();
  /** Pointers that `$ref`s lead to, and the names of these schemas among the definitions that ajv gets. */
  readonly targets = new Map<string, string>();
  readonly #schemas = new Map<string, Schema>();
  readonly #anchors = new Map<string, string>();
  /** The pointer of each `$ref`, and the pointer that it names. */
  readonly #references = new Map<string, string>();
  #names = 0;
  #patternSize = 0;

  /** Goes through the schema at `pointer` and all within it. */
  find(schema: Json, pointer: string) {
    if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
      throw new SchemaFault(pointer, 'A schema is an object, or true or false.');
    }
    this.#schemas.set(pointer, schema);
    if (this.#schemas.size > SUBSCHEMAS_MAX) {
      throw new SchemaFault(pointer, `The schema consists of more than ${SUBSCHEMAS_MAX} schemas.`);
    }
    if (typeof schema === 'boolean') return;
    for (const [keyword, value] of Object.entries(schema)) this.#findIn(keyword, value, pointer);
  }

  #findIn(keyword: string, value: Json, parent: string) {
    const pointer = pointerTo(parent, keyword);
    const instead = UNSUPPORTED.get(keyword);
    if (instead !== undefined) throw new SchemaFault(pointer, `"${keyword}" is not supported. ${instead}`);
    if (keyword === '$id' && parent !== '') {
      throw new SchemaFault(pointer, 'Only the whole schema can have an $id. Use $anchor, or a JSON pointer in $ref.');
    }
    if (keyword === '$ref') this.#references.set(pointer, referenceOf(value, pointer));
    if (keyword === '$anchor') return this.#addAnchor(value, { pointer, parent });
    if (HOLDS_SCHEMA.has(keyword)) return this.find(value, pointer);
    if (HOLDS_SCHEMAS.has(keyword)) return this.#findList(value, pointer);
    if (HOLDS_NAMED_SCHEMAS.has(keyword) || DEFINITIONS.has(keyword)) return this.#findNamed(keyword, value, pointer);
    return this.#checkValue(keyword, value, pointer);
  }

  #findList(value: Json, pointer: string) {
    if (!Array.isArray(value) || value.length === 0) {
      throw new SchemaFault(pointer, 'The value must be a list of schemas that is not empty.');
    }
    for (const [index, item] of value.entries()) this.find(item, pointerTo(pointer, index));
  }

  #findNamed(keyword: string, value: Json, pointer: string) {
    if (!isJsonObject(value)) throw new SchemaFault(pointer, 'The value must be an object of schemas.');
    for (const [name, schema] of Object.entries(value)) {
      const at = pointerTo(pointer, name);
      if (keyword === 'patternProperties') this.#addPattern(name, at);
      this.find(schema, at);
    }
  }

  #checkValue(keyword: string, value: Json, pointer: string) {
    const shape = VALUES.get(keyword);
    if (shape && !shape.fits(value)) throw new SchemaFault(pointer, `The value must be ${shape.is}.`);
    if (keyword === 'pattern') this.#addPattern(value as string, pointer);
    if (keyword === 'required') this.#countNames(value as string[], pointer);
    if (keyword === 'dependentRequired') this.#countNames(Object.values(value as Record<string, Json>).flat(), pointer);
  }

  /** Each name becomes code when the schema is compiled, so names are bounded. */
  #countNames(names: readonly unknown[], pointer: string) {
    this.#names += names.length;
    if (this.#names > NAMES_MAX) throw new SchemaFault(pointer, `The schema requires more than ${NAMES_MAX} members.`);
  }

  #addPattern(source: string, pointer: string) {
    if (this.patterns.has(source)) return;
    if (this.patterns.size >= PATTERNS_MAX) {
      throw new SchemaFault(pointer, `The schema has more than ${PATTERNS_MAX} patterns.`);
    }
    const pattern = this.#pattern(source, pointer);
    this.patterns.set(source, pattern);
    this.#patternSize += pattern.size;
    if (this.#patternSize > PATTERN_SIZE_MAX) {
      throw new SchemaFault(
        pointer,
        'The patterns of the schema count too much. Use smaller counts, or fewer of them.',
      );
    }
  }

  #pattern(source: string, pointer: string): Pattern {
    try {
      return patternOf(source);
    } catch (error) {
      if (error instanceof PatternFault) throw new SchemaFault(pointer, error.message);
      throw error;
    }
  }

  #addAnchor(anchor: Json, { pointer, parent }: { pointer: string; parent: string }) {
    if (typeof anchor !== 'string' || !/^[A-Za-z_][-A-Za-z0-9._]*$/.test(anchor)) {
      throw new SchemaFault(pointer, 'An $anchor is a name of letters, digits, "-", "_" and ".".');
    }
    if (this.#anchors.has(anchor)) throw new SchemaFault(pointer, 'Another schema has this $anchor.');
    this.#anchors.set(anchor, parent);
  }

  /** Resolves each `$ref`, which can only lead to a schema that was visited. */
  resolve() {
    for (const [pointer, reference] of this.#references) {
      const target = reference === '' || reference.startsWith('/') ? reference : this.#anchors.get(reference);
      if (target === undefined || !this.#schemas.has(target)) {
        throw new SchemaFault(pointer, 'There is no schema where this $ref leads to.');
      }
      this.#references.set(pointer, target);
      if (!this.targets.has(target)) this.targets.set(target, `schema${this.targets.size}`);
    }
  }

  /** The schema at `pointer`: a reference to its definition if any `$ref` leads to it. */
  rebuilt(pointer: string): Schema {
    const name = this.targets.get(pointer);
    return name === undefined ? this.content(pointer) : { $ref: `#/$defs/${name}` };
  }

  content(pointer: string): Schema {
    const schema = this.#schemas.get(pointer)!;
    if (typeof schema === 'boolean') return schema;
    return Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => this.#keyword(keyword, value, pointerTo(pointer, keyword))),
    );
  }

  #keyword(keyword: string, value: Json, pointer: string): [string, Json][] {
    const inside = (member: string | number) => this.rebuilt(pointerTo(pointer, member));
    if (HOLDS_SCHEMA.has(keyword)) return [[keyword, this.rebuilt(pointer)]];
    if (HOLDS_SCHEMAS.has(keyword)) return [[keyword, (value as Json[]).map((_, index) => inside(index))]];
    if (HOLDS_NAMED_SCHEMAS.has(keyword)) {
      return [[keyword, Object.fromEntries(Object.keys(value as object).map((name) => [name, inside(name)]))]];
    }
    if (keyword === '$ref') return [['$ref', `#/$defs/${this.targets.get(this.#references.get(pointer)!)}`]];
    if (keyword === 'format' && !FORMATS.has(value as string)) return [];
    return VALUES.has(keyword) ? [[keyword, value]] : [];
  }
}

/** Returns the part after the `#`: a JSON pointer or the name of an anchor. */
function referenceOf(value: Json, pointer: string): string {
  if (typeof value !== 'string' || !value.startsWith('#')) {
    throw new SchemaFault(pointer, 'A $ref can only lead to a place in this schema, such as "#/$defs/price".');
  }
  try {
    return decodeURIComponent(value.slice(1));
  } catch {
    throw new SchemaFault(pointer, 'The $ref is no URI reference.');
  }
}
