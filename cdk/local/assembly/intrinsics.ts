/** CloudFormation's functions, resolved as a deployment would. */
import { attributeName, SUB_VARIABLE } from './references.ts';

/** What a template can refer to. Each member throws for a name that does not exist. */
export interface Scope {
  /** A parameter, pseudo parameter or resource. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  importValue(name: string): unknown;
  mapping(map: string, first: string, second: string): unknown;
  condition(name: string): boolean;
}

/** `Ref: AWS::NoValue`: the property is left out. */
export const NO_VALUE = Symbol('AWS::NoValue');

type Intrinsic = (argument: unknown, scope: Scope) => unknown;

const INTRINSICS: Readonly<Record<string, Intrinsic>> = {
  Ref: (name, scope) => scope.ref(String(name)),
  'Fn::GetAtt': (argument, scope) => {
    const { logicalId, attribute } = attributeName(argument);
    return scope.attribute(logicalId, String(resolve(attribute, scope)));
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument);
    return list(resolve(parts, scope)).map(text).join(text(separator));
  },
  'Fn::Sub': substitute,
  'Fn::ImportValue': (argument, scope) => scope.importValue(text(resolve(argument, scope))),
  'Fn::Select': (argument, scope) => {
    const [index, items] = list(resolve(argument, scope));
    const found = list(items)[Number(index)];
    if (found === undefined) throw new Error(`Fn::Select finds nothing at ${String(index)}.`);
    return found;
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(resolve(argument, scope));
    return text(source).split(text(separator));
  },
  'Fn::FindInMap': (argument, scope) => {
    const [map, first, second] = list(resolve(argument, scope)).map(text);
    return scope.mapping(map ?? '', first ?? '', second ?? '');
  },
  'Fn::Base64': (argument, scope) => Buffer.from(text(resolve(argument, scope))).toString('base64'),
  'Fn::If': (argument, scope) => {
    const [name, whenTrue, whenFalse] = list(argument);
    return resolve(scope.condition(text(name)) ? whenTrue : whenFalse, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(resolve(argument, scope));
    return text(left) === text(right);
  },
  'Fn::And': (argument, scope) => list(resolve(argument, scope)).every(Boolean),
  'Fn::Or': (argument, scope) => list(resolve(argument, scope)).some(Boolean),
  'Fn::Not': (argument, scope) => !list(resolve(argument, scope))[0],
};

/** The value with every function replaced by its result. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return withoutDynamicReference(value);
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope)).filter((item) => item !== NO_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1) {
    const intrinsic = intrinsicNamed(only[0]);
    if (intrinsic) return intrinsic(only[1], scope);
  }
  const resolved = entries.map(([key, inner]) => [key, resolve(inner, scope)] as const);
  return Object.fromEntries(resolved.filter(([, inner]) => inner !== NO_VALUE));
}

function intrinsicNamed(name: string): Intrinsic | undefined {
  const intrinsic = INTRINSICS[name];
  if (!intrinsic && name.startsWith('Fn::')) throw new Error(`The function ${name} is not known to the local cloud.`);
  return intrinsic;
}

/** A condition's definition, in which `{"Condition": "Name"}` refers to another one. */
export function resolveCondition(value: unknown, scope: Scope): boolean {
  return resolve(conditionsReplaced(value, scope), scope) === true;
}

function conditionsReplaced(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => conditionsReplaced(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === 'Condition') return scope.condition(text(entries[0][1]));
  return Object.fromEntries(entries.map(([key, inner]) => [key, conditionsReplaced(inner, scope)]));
}

function substitute(argument: unknown, scope: Scope): string {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const values = new Map(Object.entries(resolve(variables, scope) as object));
  return text(template)
    .replaceAll(SUB_VARIABLE, (_, name: string) => {
      if (values.has(name)) return text(values.get(name));
      if (!name.includes('.')) return text(scope.ref(name));
      const { logicalId, attribute } = attributeName(name);
      return text(scope.attribute(logicalId, attribute));
    })
    .replaceAll('${!', '${');
}

function withoutDynamicReference(value: string): string {
  const found = /\{\{resolve:[^}]*\}\}/.exec(value);
  if (found) throw new Error(`${found[0]} is looked up when AWS deploys; the local cloud does not.`);
  return value;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`A list was expected, not ${JSON.stringify(value)}.`);
  return value;
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`Text was expected, not ${JSON.stringify(value)}.`);
}
