import { isExactNumber, parseExactly } from '#shared/formats/exact-json';
import { Problem } from './problem.ts';

/** The most levels of a record, the record itself being the first. */
const RECORD_LEVELS_MAX = 8;
/**
 * The most levels of anything else: the body, its list of items, the item, and within it schemas and tables with limits
 * of their own.
 */
const LEVELS_MAX = 40;
const STRING_BYTES_MAX = 8 * 1024;

/** Parses the body as JSON whose numbers keep their digits, within the bounds of every route. */
export function readJson(text: string): unknown {
  const body = parsed(text);
  checkValue(body, { pointer: '', level: 1, recordLevel: 0, isTable: false });
  return body;
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (cause) {
    // The value is deeper than the parser allows.
    if (cause instanceof RangeError) throw tooDeep('', LEVELS_MAX);
    const detail = text.trim() === '' ? 'The body is empty: send JSON.' : 'The body is not valid JSON.';
    throw new Problem(400, 'malformed-json', detail, { cause });
  }
}

interface Place {
  readonly pointer: string;
  readonly level: number;
  /** The level within a record; 0 outside of one. */
  readonly recordLevel: number;
  /** True for a table in text, which may be as long as the body. */
  readonly isTable: boolean;
}

function checkValue(value: unknown, place: Place): void {
  if (typeof value === 'string') checkText(value, place);
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return;
  if (place.recordLevel > RECORD_LEVELS_MAX) throw tooDeep(place.pointer, RECORD_LEVELS_MAX, 'a record');
  if (place.level > LEVELS_MAX) throw tooDeep(place.pointer, LEVELS_MAX);
  const isTable = 'kind' in value && value.kind === 'table';
  for (const [name, member] of Object.entries(value)) {
    const pointer = `${place.pointer}/${escaped(name)}`;
    checkText(name, { ...place, pointer });
    const isRecord = place.recordLevel > 0 || (name === 'record' && !Array.isArray(value));
    checkValue(member, {
      pointer,
      level: place.level + 1,
      recordLevel: isRecord ? place.recordLevel + 1 : 0,
      isTable: isTable && name === 'value',
    });
  }
}

const tooDeep = (pointer: string, levels: number, what = 'a body') =>
  invalidRequest(pointer, `is nested too deeply: ${what} has at most ${levels} levels`);

function checkText(text: string, { pointer, isTable }: Place): void {
  if (!text.isWellFormed()) throw invalidRequest(pointer, 'is not Unicode text: it has half of a surrogate pair');
  if (isTable || text.length * 3 <= STRING_BYTES_MAX) return;
  if (Buffer.byteLength(text) > STRING_BYTES_MAX) {
    throw invalidRequest(pointer, `is longer than ${STRING_BYTES_MAX} bytes`);
  }
}

/** Escapes a name by RFC 6901. A name may hold anything, so only its beginning is repeated. */
export const escaped = (name: string) => name.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');

export const invalidRequest = (pointer: string, detail: string) =>
  new Problem(400, 'invalid-request', `${pointer === '' ? 'The body' : pointer} ${detail}.`, {
    members: { errors: [{ pointer, detail }] },
  });
