import type { ObjectField, RecordSchema, ValueField } from '../schemas/schema.ts';
import { fieldAt, leafPaths } from '../schemas/schemas.ts';
import { ALL, and, NONE, not, or } from './algebra.ts';
import type { Clause, Expression, Value } from './ast.ts';
import { bindValue, type Leaf } from './bind-value.ts';
import type { Query } from './query.ts';

export type BoundQuery =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly message: string };

/**
 * Gives a parsed query its meaning for one schema. The leftmost field that the schema does not have is reported first,
 * and only then a value that its field cannot hold.
 */
export function bind(expression: Expression, schema: RecordSchema): BoundQuery {
  const unknown = unknownField(expression, schema, false);
  if (unknown !== undefined) {
    return { ok: false, message: `${unknown} does not exist in ${schema.singular} schema` };
  }
  const binder = new Binder(schema);
  const query = binder.expression(expression, DEFAULT);
  return binder.problem === undefined
    ? { ok: true, query }
    : { ok: false, message: `invalid query: ${binder.problem}` };
}

/** The name of all fields: `*:*` is all records. */
const ANY_FIELD = '*';
/** The pseudo-field whose value is a field name. */
const EXISTS_FIELD = '_exists_';

/** The first name, in the order of the text, that the schema does not have. */
function unknownField(expression: Expression, schema: RecordSchema, inExists: boolean): string | undefined {
  for (const { clauses } of expression.groups) {
    for (const { field, value } of clauses) {
      const exists = field === undefined ? inExists : field.name === EXISTS_FIELD;
      const name = field === undefined || exists || field.name === ANY_FIELD ? undefined : field.name;
      if (name !== undefined && fieldAt(schema, name) === undefined) return name;
      const inside = value.kind === 'expression' ? unknownField(value.expression, schema, exists) : undefined;
      if (inside !== undefined) return inside;
      if (exists && 'text' in value && fieldAt(schema, value.text) === undefined) return value.text;
    }
  }
  return undefined;
}

/** The fields that a value is searched in. */
type Target =
  | { readonly kind: 'default' }
  | { readonly kind: 'exists' }
  | { readonly kind: 'field'; readonly path: string; readonly field: ValueField | ObjectField };

const DEFAULT: Target = { kind: 'default' };

const DEFAULT_PATHS = new WeakMap<RecordSchema, readonly string[]>();

/**
 * The fields that a search without a field name looks into: the text fields that `schemas/` marks `searchedByDefault`.
 * Computed once for each schema.
 */
function defaultPaths(schema: RecordSchema): readonly string[] {
  const cached = DEFAULT_PATHS.get(schema);
  if (cached !== undefined) return cached;
  const leaves = leafPaths(schema).filter(({ kind, searchedByDefault }) => searchedByDefault && kind === 'text');
  const paths = leaves.map(({ path }) => path);
  DEFAULT_PATHS.set(schema, paths);
  return paths;
}

/** Keeps the first problem; anything bound after it is discarded. */
class Binder {
  problem: string | undefined;
  private readonly schema: RecordSchema;

  constructor(schema: RecordSchema) {
    this.schema = schema;
  }

  /** (∩ MUST if any, else ∪ SHOULD if any, else all) ∖ ∪ MUST_NOT */
  expression({ groups }: Expression, outer: Target): Query {
    const must: Query[] = [];
    const should: Query[] = [];
    const mustNot: Query[] = [];
    for (const { clauses, besideOr } of groups) {
      const [first, ...others] = clauses;
      if (first === undefined) continue;
      const isOperand = others.length > 0 || first.modifier === undefined || (first.modifier === 'not' && besideOr);
      if (isOperand) should.push(and(clauses.map((clause) => this.operand(clause, outer))));
      else (first.modifier === '+' ? must : mustNot).push(this.clause(first, outer));
    }
    const matches = must.length > 0 ? and(must) : should.length > 0 ? or(should) : ALL;
    return and([matches, not(or(mustNot))]);
  }

  private operand(clause: Clause, outer: Target): Query {
    const query = this.clause(clause, outer);
    return clause.modifier === '-' || clause.modifier === 'not' ? not(query) : query;
  }

  private clause({ field, value }: Clause, outer: Target): Query {
    const target = field === undefined ? outer : this.target(field.name);
    return value.kind === 'expression' ? this.expression(value.expression, target) : this.value(value, target);
  }

  private target(name: string): Target {
    if (name === EXISTS_FIELD) return { kind: 'exists' };
    const field = fieldAt(this.schema, name);
    return field === undefined ? DEFAULT : { kind: 'field', path: name, field };
  }

  private value(value: Exclude<Value, { kind: 'expression' }>, target: Target): Query {
    if (target.kind === 'default') return value.kind === 'any' ? ALL : this.inDefaults(value);
    if (target.kind === 'exists') {
      if (value.kind === 'word' || value.kind === 'quoted') return { kind: 'exists', path: value.text };
      return this.fail(`${EXISTS_FIELD} needs the name of a field`);
    }
    const { path, field } = target;
    if (value.kind === 'any') return { kind: 'exists', path };
    if (field.kind !== 'object') return this.leaf({ path, kind: field.kind }, value);
    return this.fail(`${path} contains other fields: search one of them, or ${path}:*`);
  }

  /** Normalises once for all default fields, which are of one kind. */
  private inDefaults(value: Exclude<Value, { kind: 'expression' | 'any' }>): Query {
    const paths = defaultPaths(this.schema);
    const [path] = paths;
    const query = path === undefined ? NONE : this.leaf({ path, kind: 'text' }, value);
    return 'path' in query ? or(paths.map((path) => ({ ...query, path }))) : query;
  }

  private leaf(leaf: Leaf, value: Exclude<Value, { kind: 'expression' | 'any' }>): Query {
    const bound = bindValue(leaf, value);
    return typeof bound === 'string' ? this.fail(bound) : bound;
  }

  private fail(problem: string): Query {
    this.problem ??= problem;
    return NONE;
  }
}
