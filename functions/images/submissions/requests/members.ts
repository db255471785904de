import { isExactNumber } from '#shared/formats/exact-json';
import { loyaltyError } from '#shared/loyalty/loyalty-error';

/** A parsed JSON object of a request. */
export type Members = Readonly<Record<string, unknown>>;

export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

export function objectIn(name: string, value: unknown): Members {
  if (!isObject(value)) throw argument(name, 'an object');
  return value;
}

/** Undefined if the member is absent or empty. */
export function textIn(path: string, members: Members, name: string): string | undefined {
  const value = memberOf(members, name);
  if (isAbsent(value) || value === '') return undefined;
  // DynamoDB refuses unpaired surrogates.
  if (typeof value !== 'string' || !value.isWellFormed()) throw argument(`${path}.${name}`, 'a string');
  return value;
}

export const argument = (name: string, expected: string) =>
  loyaltyError('argument_error', `${name} must be ${expected}.`);

export const optionalText = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: string };
