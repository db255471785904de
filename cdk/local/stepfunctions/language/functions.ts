/** What each intrinsic function does. An error that one throws fails the state with `States.IntrinsicFailure`. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../endpoint/json.ts';
import type { Scope } from './scope.ts';

type Intrinsic = (values: readonly Json[], scope: Scope) => Json;

const ENCODED_MAX = 10_000;
const RANGE_MAX = 1000;
const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

export const FUNCTIONS: Readonly<Record<string, Intrinsic>> = {
  Array: (values) => values,
  ArrayContains: ([list, value]) => array(list).some((one) => isDeepStrictEqual(one, value)),
  ArrayGetItem: ([list, index]) => array(list)[natural(index)] ?? fail('the index is out of range'),
  ArrayLength: ([list]) => array(list).length,
  ArrayPartition: ([list, size]) => partition(array(list), integer(size)),
  ArrayRange: ([first, last, step]) => range(integer(first), integer(last), integer(step)),
  ArrayUnique: ([list]) =>
    array(list).filter((value, at, all) => all.findIndex((one) => isDeepStrictEqual(one, value)) === at),
  Base64Decode: ([value]) => Buffer.from(short(value), 'base64').toString(),
  Base64Encode: ([value]) => Buffer.from(short(value)).toString('base64'),
  Format: ([template, ...values]) => format(string(template), values),
  Hash: ([value, algorithm]) => hash(value ?? fail('the value is missing'), string(algorithm)),
  JsonMerge: ([first, second, deep]) => {
    if (deep !== false) fail('only a shallow merge is supported: the third argument must be false');
    return { ...object(first), ...object(second) };
  },
  JsonToString: ([value]) => JSON.stringify(value ?? null),
  MathAdd: ([first, second]) => integer(first) + integer(second),
  MathRandom: (values, scope) => random(values, scope),
  StringSplit: ([value, separators]) => split(string(value), string(separators)),
  StringToJson: ([value]) => JSON.parse(string(value)),
  UUID: (values, { newId }) => (values.length > 0 ? fail('takes no argument') : newId()),
};

function fail(reason: string): never {
  throw new Error(reason);
}

function array(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : fail('an argument is not an array');
}

function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : fail('an argument is not an object');
}

function string(value: Json | undefined): string {
  return typeof value === 'string' ? value : fail('an argument is not a string');
}

function short(value: Json | undefined): string {
  const text = string(value);
  return text.length <= ENCODED_MAX ? text : fail(`the text has more than ${ENCODED_MAX} characters`);
}

/** Step Functions rounds numbers where it wants an integer. */
function integer(value: Json | undefined): number {
  return typeof value === 'number' ? Math.round(value) : fail('an argument is not a number');
}

function natural(value: Json | undefined): number {
  const number = integer(value);
  return number >= 0 ? number : fail('an index is negative');
}

function partition(list: readonly Json[], size: number): Json {
  if (size < 1) fail('the size of a part is not positive');
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

function range(first: number, last: number, step: number): Json {
  if (step === 0) fail('the step is 0');
  const length = Math.max(0, Math.floor((last - first) / step) + 1);
  if (length > RANGE_MAX) fail(`the range has more than ${RANGE_MAX} items`);
  return Array.from({ length }, (_, at) => first + at * step);
}

function format(template: string, values: readonly Json[]): string {
  let used = 0;
  const text = template.replaceAll(/\\([{}])|\{\}/g, (_match, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const value = values[used++];
    if (value === undefined) fail('there are fewer arguments than {}');
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return used === values.length ? text : fail('there are more arguments than {}');
}

function hash(value: Json, algorithm: string): string {
  const name = HASHES[algorithm] ?? fail(`the algorithm ${algorithm} is unknown`);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return createHash(name).update(short(text)).digest('hex');
}

function random([first, last, seed]: readonly Json[], scope: Scope): number {
  if (seed !== undefined) fail('a seed is not supported by the local cloud');
  const from = integer(first);
  return from + Math.floor(scope.random() * (integer(last) - from));
}

function split(value: string, separators: string): Json {
  const escaped = separators.replaceAll(/[\\\]^-]/g, String.raw`\$&`);
  return separators === '' ? [value] : value.split(new RegExp(`[${escaped}]`, 'u')).filter((part) => part !== '');
}
