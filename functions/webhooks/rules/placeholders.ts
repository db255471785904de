import { withoutBlanks } from './blanks.ts';

/** The values of an event, by name. Dates inside become ISO 8601 strings, as in `JSON.stringify`. */
export type Variables = Readonly<Record<string, unknown>>;

/** A piece of a text: plain characters, or a placeholder as it was written and the name in it. */
export type Piece = string | Placeholder;
interface Placeholder {
  readonly written: string;
  readonly name: string;
}

/** `{{name}}`, optionally with blanks around the name. A name holds no braces. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Cuts a text at its placeholders. No piece is empty. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const { 0: written, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (index > start) pieces.push(text.slice(start, index));
    pieces.push({ written, name: withoutBlanks(name, ' ') });
    start = index + written.length;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** A variable's value, or undefined when the event has none of that name. `null` is a value. */
export function valueOf(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/**
 * Replaces the placeholders of a plain text, once: inserted values are not replaced again. Unknown placeholders stay. A
 * text that gets longer than `charactersMax` is cut somewhere behind that, because many placeholders of one long value
 * would fill the memory.
 */
export function replacePlaceholders(text: string, variables: Variables, charactersMax: number): string {
  let replaced = '';
  for (const piece of piecesOf(text)) {
    if (replaced.length > charactersMax) break;
    replaced += typeof piece === 'string' ? piece : textFor(piece, variables);
  }
  return replaced;
}

function textFor({ written, name }: Placeholder, variables: Variables): string {
  const value = valueOf(variables, name);
  return value === undefined ? written : textOf(value);
}

/**
 * How a value reads inside a longer text: strings and times as they are, null as nothing, numbers and booleans as in
 * JSON, lists and objects as JSON.
 */
function textOf(value: unknown): string {
  const plain: unknown = value instanceof Date ? value.toJSON() : value;
  if (typeof plain === 'string') return plain;
  const text = jsonOf(plain);
  return text === 'null' ? '' : text;
}

export function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
