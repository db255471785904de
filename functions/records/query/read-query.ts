import type { RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { bind } from './bind.ts';
import { parse } from './parse.ts';
import type { Query } from './query.ts';

/** `message` is for the caller, worded as the interface specifies. */
export type ReadQuery = { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly message: string };

/** A query as text, bound to the schema of the type. */
export function readQuery(text: string, type: RecordType): ReadQuery {
  if (text.trim() === '') return { ok: false, message: 'q is required' };
  const parsed = parse(text);
  return parsed.ok ? bind(parsed.expression, SCHEMAS[type]) : { ok: false, message: parsed.message };
}
