import { jsonOf, piecesOf, replacePlaceholders, type Variables, valueOf } from './placeholders.ts';

/** The limit of a rendered body: a short definition can use a long value many times. */
const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Renders the body of a run: replaces the placeholders of the definition and adds a `timestamp` unless the definition
 * has one. Undefined if the body would be larger than 1 MiB.
 *
 * It works on the text of a valid definition and changes string values only. So every number keeps all its digits, and
 * members keep their order even if they are called "2" and "1".
 */
export function renderRuleBody(definition: string, variables: Variables, runCreatedAt: string): string | undefined {
  let body = '';
  let hasTimestamp = false;
  let from = 0;
  for (const { start, end, depth, isName } of literalsOf(definition)) {
    const literal = definition.slice(start, end);
    if (isName) hasTimestamp ||= depth === 1 && JSON.parse(literal) === 'timestamp';
    else {
      body += definition.slice(from, start) + renderString(literal, variables);
      from = end;
      if (body.length > BODY_BYTES_MAX) return undefined;
    }
  }
  body += definition.slice(from);
  const whole = hasTimestamp ? body : withTimestamp(body, runCreatedAt);
  return Buffer.byteLength(whole) > BODY_BYTES_MAX ? undefined : whole;
}

/** The string values of a valid definition, in which placeholders are replaced. */
export const stringValuesOf = (definition: string): readonly string[] =>
  [...literalsOf(definition)]
    .filter(({ isName }) => !isName)
    .map(({ start, end }) => JSON.parse(definition.slice(start, end)) as string);

/** A string of a JSON text, with its quotes. */
interface Literal {
  readonly start: number;
  readonly end: number;
  /** The depth of the enclosing object or list; 1 is the outermost. */
  readonly depth: number;
  /** True if the string is the name of a member. */
  readonly isName: boolean;
}

function* literalsOf(definition: string): Generator<Literal> {
  let depth = 0;
  for (let at = 0; at < definition.length; at += 1) {
    const character = definition[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (character !== '"') continue;
    const end = endOfString(definition, at);
    yield { start: at, end, depth, isName: isMemberName(definition, end) };
    at = end - 1;
  }
}

/** Returns the position after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Returns whether the string that ends here is the name of a member: in JSON a colon follows nothing else. */
function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (/[ \t\n\r]/.test(text.charAt(at))) at += 1;
  return text[at] === ':';
}

/** Renders one string. A string without placeholders stays unchanged, including its escapes. */
function renderString(literal: string, variables: Variables): string {
  const text = JSON.parse(literal) as string;
  const [piece, ...more] = piecesOf(text);
  if (typeof piece === 'object' && more.length === 0) {
    const value = valueOf(variables, piece.name);
    return value === undefined ? literal : jsonOf(value);
  }
  const replaced = replacePlaceholders(text, variables, BODY_BYTES_MAX);
  return replaced === text ? literal : JSON.stringify(replaced);
}

function withTimestamp(body: string, runCreatedAt: string): string {
  const members = body.slice(0, body.lastIndexOf('}')).trimEnd();
  const comma = members.endsWith('{') ? '' : ',';
  return `${members}${comma}"timestamp":${JSON.stringify(runCreatedAt)}${body.slice(members.length)}`;
}
