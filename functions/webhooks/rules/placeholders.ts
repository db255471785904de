import { trimCharacters } from './trim-characters.ts';

/** The values of an event, by name. Dates inside become ISO 8601 strings, as in `JSON.stringify`. */
export type Variables = Readonly<Record<string, unknown>>;

/** A piece of a text: plain characters, or a placeholder with its source text and name. */
export type Piece = string | Placeholder;
interface Placeholder {
  readonly source: string;
  readonly name: string;
}

/** `{{name}}`, optionally with spaces around the name. A name contains no braces. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Cuts a text at its placeholders. No piece is empty. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const { 0: source, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (index > start) pieces.push(text.slice(start, index));
    pieces.push({ source, name: trimCharacters(name, ' ') });
    start = index + source.length;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** Returns the value of a variable, or undefined when the event has no such variable. `null` is a value. */
export function valueOf(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/**
 * Replaces the placeholders of a plain text, once: inserted values are not replaced again. Unknown placeholders stay. A
 * result that exceeds `charactersMax` is cut somewhere after that length, because many placeholders of one long value
 * would exhaust the memory.
 */
export function replacePlaceholders(text: string, variables: Variables, charactersMax: number): string {
  let replaced = '';
  for (const piece of piecesOf(text)) {
    if (replaced.length > charactersMax) break;
    replaced += typeof piece === 'string' ? piece : textFor(piece, variables);
  }
  return replaced;
}

function textFor({ source, name }: Placeholder, variables: Variables): string {
  const value = valueOf(variables, name);
  return value === undefined ? source : textOf(value);
}

/**
 * Formats a value inside a longer text: strings and times unchanged, null as an empty text, everything else as JSON.
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
