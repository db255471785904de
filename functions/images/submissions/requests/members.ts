import { isExactNumber } from '#shared/exact-json';
import { loyaltyError } from '#shared/loyalty/loyalty-error';

/** An object of a request, as it was parsed. */
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

/** Undefined if there is none, or a blank one. */
export function textIn(path: string, members: Members, name: string): string | undefined {
  const value = memberOf(members, name);
  if (isAbsent(value) || value === '') return undefined;
  // Tables refuse half of a surrogate pair.
  if (typeof value !== 'string' || !value.isWellFormed()) throw argument(`${path}.${name}`, 'a string');
  return value;
}

export const argument = (name: string, expected: string) =>
  loyaltyError('argument_error', `${name} must be ${expected}.`);

export const optionalText = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: string };
