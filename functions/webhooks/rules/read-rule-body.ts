import { isExactNumber } from '#shared/formats/exact-json';
import { jsonIn } from '#shared/formats/json-text';
import { jsonFault } from './json-fault.ts';

const BYTES_MAX = 256 * 1024;
/** Deeper bodies would overflow the stack of receivers. */
const LEVELS_MAX = 100;

export type RuleBodyResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: string };

/**
 * Returns the text of a body that is given as a JSON object or as the text of one. A text stays unchanged, with its
 * spaces and the order of its members. In an object, members with integer names come first, as JavaScript orders them.
 */
export function readRuleBody(given: unknown): RuleBodyResult {
  if (typeof given === 'string' && Buffer.byteLength(given) > BYTES_MAX) return refused(TOO_LARGE);
  const fault = typeof given === 'string' ? jsonFault(given) : undefined;
  if (fault !== undefined) return refused(`is not valid JSON: ${fault}`);
  const value: unknown = typeof given === 'string' ? jsonIn(given) : given;
  if (!isObject(value)) return refused('must be a JSON object, or the text of one');
  if (isDeeper(value, LEVELS_MAX)) return refused(`must have at most ${LEVELS_MAX} levels`);
  const text = typeof given === 'string' ? given : JSON.stringify(value);
  if (Buffer.byteLength(text) > BYTES_MAX) return refused(TOO_LARGE);
  return text.isWellFormed() ? { ok: true, text } : refused('must be Unicode text');
}

const TOO_LARGE = `must have at most ${BYTES_MAX / 1024} KiB`;
const refused = (fault: string): RuleBodyResult => ({ ok: false, fault });

const hasMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isExactNumber(value);
const isObject = (value: unknown): value is object => hasMembers(value) && !Array.isArray(value);

/**
 * Returns whether a value has more levels than this. It is walked level by level, because recursion would overflow on a value
 * that is too deep.
 */
export function isDeeper(value: object, levels: number): boolean {
  let level = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one)).filter(hasMembers);
  }
  return false;
}
