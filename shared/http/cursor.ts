import * as z from 'zod/mini';
import { Refusal } from '#shared/errors';

export type Position = Readonly<Record<string, string>>;

/** A cursor is bound to the list that issued it and is refused by any other. */
export function encodeCursor(list: string, position: Position): string;
export function encodeCursor(list: string, position: Position | undefined): string | undefined;
export function encodeCursor(list: string, position: Position | undefined): string | undefined {
  return position && Buffer.from(JSON.stringify([list, position])).toString('base64url');
}

const Cursor = z.tuple([z.string(), z.record(z.string(), z.string())]);

/** The position in a cursor that a caller sent back. @param names the members of a position in this list */
export function decodeCursor(list: string, cursor: string | undefined, names: readonly string[]): Position | undefined {
  if (cursor === undefined) return undefined;
  const [from, position = {}] = decoded(cursor) ?? [];
  const hasAllNames = Object.keys(position).length === names.length && names.every((name) => isKey(position[name]));
  if (from !== list || !hasAllNames)
    throw new Refusal(400, 'invalid-cursor', 'The cursor does not belong to this list.');
  return position;
}

/** The longest sort key that a table accepts. */
const KEY_BYTES_MAX = 1_024;
const isKey = (text = '') => text !== '' && Buffer.byteLength(text) <= KEY_BYTES_MAX;

function decoded(cursor: string) {
  try {
    return Cursor.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
