import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSSyntaxException } from 're2js';

/** A pattern that is not accepted, with a sentence for the caller. */
export class PatternFault extends Error {}

/** A regular expression that takes at most `size` steps for each character of a text, and `size` more for its end. */
export interface Pattern {
  readonly size: number;
  test(text: string): boolean;
}

/** Bounds the instructions that a repeated group can become, before they are counted. */
const LENGTH_MAX = 500;
/** A pattern builds its automaton as texts need it, up to 7 MB. */
const CACHED_MAX = 50;
const cache = new LRUCache<string, Pattern>({ max: CACHED_MAX });

/**
 * The pattern of an ECMAScript regular expression in `u` mode, run by RE2, which never backtracks. Throws a
 * `PatternFault` for what is no such expression, and for what RE2 cannot express.
 */
export function patternOf(source: string): Pattern {
  const cached = cache.get(source);
  if (cached) return cached;
  if (source.length > LENGTH_MAX) throw new PatternFault(`The pattern is longer than ${LENGTH_MAX} characters.`);
  refuseOtherSyntax(source);
  const expression = compiled(source);
  const pattern = { size: expression.programSize(), test: (text: string) => expression.test(text) };
  cache.set(source, pattern);
  return pattern;
}

function refuseOtherSyntax(source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    const reason = (error as Error).message.split('/u: ').at(-1);
    throw new PatternFault(`The pattern is no regular expression: ${reason}.`);
  }
}

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(inRe2(source));
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const part = error.getPattern() ?? source;
    if (part.startsWith('{'))
      throw new PatternFault('The counts of the pattern, multiplied where nested, exceed 1000.');
    throw new PatternFault(`The pattern has ${part}, which is not supported.`);
  }
}

const HEX = String.raw`[\da-fA-F]`;
const ESCAPE = String.raw`\\(?:u[dD][89abAB]${HEX}{2}\\u[dD][c-fC-F]${HEX}{2}|u${HEX}{4}|u\{${HEX}+\}|c[a-zA-Z]|[pP]\{[^}]*\}|.)`;
const PARTS = new RegExp(String.raw`${ESCAPE}|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?<[^>]*>|\(\?[^:]|\.`, 'gsu');
const CLASS_PARTS = new RegExp(String.raw`${ESCAPE}|\[`, 'gsu');

/** The characters that ECMAScript's `\s` matches; RE2's matches ASCII only. `NO_SPACE` has all other characters. */
const SPACE = String.raw`\x{9}-\x{D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`;
const NO_SPACE = String.raw`\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`;
const ANY = String.raw`\x{0}-\x{10FFFF}`;
const WITHIN_LINE = String.raw`[^\n\r\x{2028}\x{2029}]`;

/**
 * Translates the source to RE2's syntax without changing the language. It relies on JavaScript having accepted the
 * source.
 */
function inRe2(source: string): string {
  return source.replaceAll(PARTS, (part) => {
    if (part === '.') return WITHIN_LINE;
    if (part.startsWith('(')) return groupInRe2(part);
    if (part.startsWith('[')) return classInRe2(part);
    if (/^\\[1-9k]/.test(part)) {
      throw new PatternFault(`The pattern refers back to a group (${part}), which needs more than linear time.`);
    }
    const set = escapeInRe2(part);
    return /^\\s$/i.test(part) ? `[${set}]` : set;
  });
}

/** A group without its name, since names change no verdict and RE2 takes fewer of them. */
function groupInRe2(part: string): string {
  if (/[=!]$/.test(part)) {
    throw new PatternFault(`The pattern looks ahead or behind (${part}…), which needs more than linear time.`);
  }
  if (part.startsWith('(?<')) return '(?:';
  throw new PatternFault('The pattern changes its flags, which is not supported.');
}

function classInRe2(part: string): string {
  const caret = part.startsWith('[^') ? '^' : '';
  const members = part.slice(1 + caret.length, -1);
  if (members === '') return caret === '' ? `[^${ANY}]` : `[${ANY}]`;
  return `[${caret}${members.replaceAll(CLASS_PARTS, memberInRe2)}]`;
}

function memberInRe2(part: string): string {
  if (part === '[') return '\\[';
  return part === '\\b' ? '\\x{8}' : escapeInRe2(part);
}

function escapeInRe2(part: string): string {
  if (part === '\\s') return SPACE;
  if (part === '\\S') return NO_SPACE;
  if (part === '\\0') return '\\x{0}';
  if (part.startsWith('\\c')) return `\\x{${(part.charCodeAt(2) % 32).toString(16)}}`;
  if (part.startsWith('\\u')) return `\\x{${codePointOf(part).toString(16)}}`;
  return part.replace(/^(\\p\{)(?:script|sc|general_category|gc)=/i, '$1');
}

/** The character of `\u…`: in braces, as four digits, or as two halves of a surrogate pair. */
function codePointOf(part: string): number {
  const [first = 0, second] = part.match(new RegExp(`${HEX}+`, 'g'))!.map((digits) => Number.parseInt(digits, 16));
  return second === undefined ? first : (first - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000;
}
