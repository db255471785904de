/** CloudFormation's functions, resolved as a deployment would. */
import { attributeName, SUB_VARIABLE } from './references.ts';

/** The names that a template can refer to. Each member throws for a name that does not exist. */
export interface Scope {
  /** A parameter, pseudo parameter or resource. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  importValue(name: string): unknown;
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
  if (!intrinsic && name.startsWith('Fn::')) throw new Error(`The local cloud does not have the function ${name}.`);
  return intrinsic;
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
  const reference = /\{\{resolve:[^}]*\}\}/.exec(value);
  if (reference) throw new Error(`${reference[0]} is looked up when AWS deploys; the local cloud does not.`);
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
