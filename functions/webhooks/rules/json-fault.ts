const WHITESPACE = /[ \t\n\r]*/y;
/** A string up to its closing quote, or up to the first invalid character. */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** The kind of token that may come next in a JSON text. */
type Expected = 'value' | 'first-value' | 'name' | 'first-name' | 'colon' | 'next' | 'end';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'first-value': 'a value or ]',
  name: 'a name in quotes',
  'first-name': 'a name in quotes or }',
  colon: 'a colon',
  next: 'a comma or the closing bracket',
  end: 'the end of the text',
};

/**
 * Returns the position at which a text stops being JSON and what is expected there: "line 3, column 12: expected a
 * comma or the closing bracket". Undefined for a valid text. The messages of `JSON.parse` name a position for some
 * faults only.
 */
export function jsonFault(text: string): string | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const after = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };
  for (;;) {
    at = after(WHITESPACE) ?? at;
    if (expected === 'end' && at === text.length) return undefined;
    const step = stepAt(text[at] ?? '', { expected, open });
    if (step === 'string') {
      const end = after(STRING) ?? at;
      if (text[end] !== '"') return placed(text, end, inString(text[end]));
      at = end + 1;
      expected = isName(expected) ? 'colon' : closed(open);
    } else if (step === 'scalar') {
      const end = after(SCALAR);
      if (end === undefined) return placed(text, at, `expected ${WORDS[expected]}`);
      at = end;
      expected = closed(open);
    } else if (step) {
      at += 1;
      expected = step;
    } else {
      const isPlaceholder = text.slice(at - 1, at + 1) === '{{';
      return placed(text, at, isPlaceholder ? 'a placeholder must be in quotes' : `expected ${WORDS[expected]}`);
    }
  }
}

interface Place {
  readonly expected: Expected;
  /** The brackets that are open. */
  readonly open: ('{' | '[')[];
}

type Step = 'string' | 'scalar' | Expected | undefined;

/**
 * Returns the token that a character begins, or what is expected after it; undefined if the character is not allowed
 * here.
 */
function stepAt(character: string, place: Place): Step {
  const { expected, open } = place;
  const isValue = expected === 'value' || expected === 'first-value';
  switch (character) {
    case '"':
      return isValue || isName(expected) ? 'string' : undefined;
    case '{':
    case '[':
      return isValue ? opened(character, place) : undefined;
    case '}':
      return closing('{', place, expected === 'first-name');
    case ']':
      return closing('[', place, expected === 'first-value');
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ',':
      if (expected !== 'next') return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    default:
      return isValue && character !== '' ? 'scalar' : undefined;
  }
}

function opened(bracket: '{' | '[', { open }: Place): Step {
  open.push(bracket);
  return bracket === '{' ? 'first-name' : 'first-value';
}

function closing(bracket: '{' | '[', { expected, open }: Place, isEmpty: boolean): Step {
  if (open.at(-1) !== bracket || !(isEmpty || expected === 'next')) return undefined;
  open.pop();
  return closed(open);
}

const isName = (expected: Expected) => expected === 'name' || expected === 'first-name';

/** Returns what is expected after a value. */
const closed = (open: readonly string[]): Expected => (open.length === 0 ? 'end' : 'next');

function inString(character: string | undefined): string {
  if (character === undefined) return 'a string is not closed';
  return character === '\\' ? 'this escape is not valid in JSON' : 'a control character must be written as an escape';
}

function placed(text: string, at: number, what: string): string {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `line ${before.length}, column ${column}: ${what}`;
}
