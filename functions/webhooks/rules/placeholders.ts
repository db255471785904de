/** What an event says, by name. Dates inside become ISO 8601 strings, as in `JSON.stringify`. */
export type Variables = Readonly<Record<string, unknown>>;

/** A text, cut at its placeholders: literal, name, literal, name, …, literal. */
export interface Cut {
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

/** `{{name}}`, with blanks around the name if somebody likes them. A name holds no braces. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

export function cutAtPlaceholders(text: string): Cut {
  const literals: string[] = [];
  const names: string[] = [];
  let start = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    literals.push(text.slice(start, index));
    names.push(name.replace(/^ +| +$/g, ''));
    start = index + whole.length;
  }
  literals.push(text.slice(start));
  return { literals, names };
}

/** A variable's value, or undefined when the event has none of that name. `null` is a value. */
export function valueOf(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/**
 * How a value reads inside a longer text: strings and times as they are, null as nothing, numbers and booleans as in
 * JSON, lists and objects as JSON.
 */
export function textOf(value: unknown): string {
  const plain: unknown = value instanceof Date ? value.toJSON() : value;
  if (typeof plain === 'string') return plain;
  const text = jsonOf(plain);
  return text === 'null' ? '' : text;
}

export function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Replaces the placeholders of a plain text, once: what is inserted is not looked at again. Unknown ones stay. */
export function replacePlaceholders(text: string, variables: Variables): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = valueOf(variables, name.replace(/^ +| +$/g, ''));
    return value === undefined ? whole : textOf(value);
  });
}
