import { isExactNumber } from '#shared/exact-json';
import { jsonFault } from './json-fault.ts';

const BYTES_MAX = 256 * 1024;
/** Deeper ones exhaust the stack of their readers. */
const LEVELS_MAX = 100;

export type ReadBody = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: string };

/**
 * The text of a body that is given as a JSON object, or as the text of one. A text stays as it is, with its blanks and
 * the order of its members; of an object, the members with whole numbers as names come first, as JavaScript orders
 * them.
 */
export function readBody(given: unknown): ReadBody {
  if (typeof given === 'string' && Buffer.byteLength(given) > BYTES_MAX) return refused(TOO_LARGE);
  const fault = typeof given === 'string' ? jsonFault(given) : undefined;
  if (fault !== undefined) return refused(`is not valid JSON: ${fault}`);
  const value: unknown = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(value)) return refused('must be a JSON object, or the text of one');
  if (isDeeper(value, LEVELS_MAX)) return refused(`must have at most ${LEVELS_MAX} levels`);
  const text = typeof given === 'string' ? given : JSON.stringify(value);
  if (Buffer.byteLength(text) > BYTES_MAX) return refused(TOO_LARGE);
  return text.isWellFormed() ? { ok: true, text } : refused('must be Unicode text');
}

const TOO_LARGE = `must have at most ${BYTES_MAX / 1024} KiB`;
const refused = (fault: string): ReadBody => ({ ok: false, fault });

/** Undefined if it is nested too deep for the parser. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isExactNumber(value);
const isObject = (value: unknown): value is object => hasMembers(value) && !Array.isArray(value);

/** Level by level, because recursion would fail on a value that is too deep. */
export function isDeeper(value: object, levels: number): boolean {
  let level = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => Object.values(one)).filter(hasMembers);
  }
  return false;
}
