/** The rules of a Choice state. */
import { isObject, type Json, type JsonObject } from '../../endpoint/json.ts';
import { matchesWildcard, parseWildcard } from '../../events/wildcard.ts';
import { compilePath, PathNotFound } from './path.ts';
import type { Reader, Scope } from './scope.ts';
import { StateError } from './state-error.ts';

export type Condition = (scope: Scope) => boolean;

const isTimestamp = (value: Json) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

/** What a comparison needs to know of a kind of value: whether it is one, and how two of them are ordered. */
const KINDS: Readonly<Record<string, { is: (value: Json) => boolean; key: (value: Json) => number | string }>> = {
  String: { is: (value) => typeof value === 'string', key: String },
  Numeric: { is: (value) => typeof value === 'number', key: Number },
  Boolean: { is: (value) => typeof value === 'boolean', key: Number },
  Timestamp: { is: isTimestamp, key: (value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN) },
};

type Order = (left: number | string, right: number | string) => boolean;
const ORDERS: Readonly<Record<string, Order>> = {
  Equals: (left, right) => left === right,
  LessThan: (left, right) => left < right,
  LessThanEquals: (left, right) => left <= right,
  GreaterThan: (left, right) => left > right,
  GreaterThanEquals: (left, right) => left >= right,
};

const TYPE_TESTS: Readonly<Record<string, (value: Json) => boolean>> = {
  IsNull: (value) => value === null,
  IsBoolean: (value) => typeof value === 'boolean',
  IsNumeric: (value) => typeof value === 'number',
  IsString: (value) => typeof value === 'string',
  IsTimestamp: isTimestamp,
};

const COMPARISON = /^(String|Numeric|Boolean|Timestamp)(Equals|(?:Less|Greater)Than(?:Equals)?)(Path)?$/;

/** @param rule without its `Next`. */
export function compileRule(rule: JsonObject): Condition {
  const { Variable, Comment: _, ...rest } = rule;
  const [[operator, operand] = ['', null], ...more] = Object.entries(rest);
  if (operand === undefined || more.length > 0 || operator === '')
    throw new Error('a rule needs exactly one comparison');
  if (operator === 'Not') return negated(compileRule(rules([operand])[0] ?? {}));
  if (operator === 'And' || operator === 'Or') {
    const conditions = rules(operand).map(compileRule);
    if (conditions.length === 0) throw new Error(`${operator} has no rules`);
    return operator === 'And'
      ? (scope) => conditions.every((holds) => holds(scope))
      : (scope) => conditions.some((holds) => holds(scope));
  }
  if (typeof Variable !== 'string') throw new Error(`${operator} has no Variable`);
  return comparison(Variable, operator, operand);
}

const negated =
  (condition: Condition): Condition =>
  (scope) =>
    !condition(scope);

function rules(operand: Json): readonly JsonObject[] {
  if (Array.isArray(operand) && operand.every(isObject)) return operand;
  throw new Error('And, Or and Not take rules');
}

function comparison(variable: string, operator: string, operand: Json): Condition {
  const read = compilePath(variable);
  if (operator === 'IsPresent') {
    const wanted = boolean(operator, operand);
    return (scope) => isPresent(read, scope) === wanted;
  }
  const value = reading(read);
  const test = Object.hasOwn(TYPE_TESTS, operator) ? TYPE_TESTS[operator] : undefined;
  if (test) {
    const wanted = boolean(operator, operand);
    return (scope) => test(value(scope)) === wanted;
  }
  if (operator === 'StringMatches') {
    const pattern = parseWildcard(text(operator, operand));
    return (scope) => {
      const found = value(scope);
      return typeof found === 'string' && matchesWildcard(pattern, found);
    };
  }
  const [, kindName = '', orderName = '', byPath] = COMPARISON.exec(operator) ?? [];
  const [kind, holds] = [KINDS[kindName], ORDERS[orderName]];
  const isKnown = kind && holds && (kindName !== 'Boolean' || orderName === 'Equals');
  if (!isKnown) throw new Error(`the local cloud does not know the comparison ${operator}`);
  if (byPath === undefined && !kind.is(operand)) throw new Error(`the operand of ${operator} has another type`);
  const other: Reader = byPath === undefined ? () => operand : reading(compilePath(text(operator, operand)));
  return (scope) => {
    const [left, right] = [value(scope), other(scope)];
    return kind.is(left) && kind.is(right) && holds(kind.key(left), kind.key(right));
  };
}

function boolean(operator: string, operand: Json): boolean {
  if (typeof operand === 'boolean') return operand;
  throw new Error(`the operand of ${operator} is not a boolean`);
}

function text(operator: string, operand: Json): string {
  if (typeof operand === 'string') return operand;
  throw new Error(`the operand of ${operator} is not a string`);
}

function isPresent(read: Reader, scope: Scope): boolean {
  try {
    read(scope);
    return true;
  } catch (error) {
    if (error instanceof PathNotFound) return false;
    throw error;
  }
}

const reading =
  (read: Reader): Reader =>
  (scope) => {
    try {
      return read(scope);
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      throw new StateError(
        'States.Runtime',
        `Invalid path: the choice state's condition path references an invalid value. ${error.message}.`,
      );
    }
  };
