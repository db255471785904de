import { ANY, type CharSet, complement, DIGITS, LINE_ENDS, only, propertySet, SPACE, union, WORD } from './char-set.ts';

/** A regular expression as a tree. Groups are not kept: what they hold stands in their place. */
export type Pattern =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly of: '^' | '$' | 'b' | 'B' }
  | { readonly kind: 'sequence'; readonly items: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly item: Pattern;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** A pattern that is not accepted, with a sentence for the caller. */
export class PatternFault extends Error {}

/**
 * Reads a regular expression of JavaScript's `u` mode. JavaScript itself must have accepted it before: this reader
 * relies on that and only refuses what cannot be bounded, so it need not detect faults of syntax.
 */
export function parsePattern(source: string): Pattern {
  const reader = new Reader(Array.from(source));
  const pattern = choice(reader);
  if (!reader.done) throw new PatternFault('The pattern has an unexpected ")".');
  return pattern;
}

const DEPTH_MAX = 20;

class Reader {
  readonly #chars: readonly string[];
  #at = 0;
  depth = 0;

  constructor(chars: readonly string[]) {
    this.#chars = chars;
  }

  get done(): boolean {
    return this.#at >= this.#chars.length;
  }

  peek(ahead = 0): string {
    return this.#chars[this.#at + ahead] ?? '';
  }

  next(): string {
    const char = this.peek();
    this.#at += 1;
    return char;
  }

  take(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false;
    this.#at += text.length;
    return true;
  }

  until(end: string): string {
    let text = '';
    while (!this.done) {
      const char = this.next();
      if (char === end) return text;
      text += char;
    }
    throw new PatternFault(`The pattern lacks a "${end}".`);
  }
}

function choice(reader: Reader): Pattern {
  const options = [sequence(reader)];
  while (reader.take('|')) options.push(sequence(reader));
  return options.length === 1 ? options[0]! : { kind: 'choice', options };
}

function sequence(reader: Reader): Pattern {
  const items: Pattern[] = [];
  while (!reader.done && reader.peek() !== '|' && reader.peek() !== ')') items.push(quantified(reader));
  return items.length === 1 ? items[0]! : { kind: 'sequence', items };
}

function quantified(reader: Reader): Pattern {
  const item = atom(reader);
  const bounds = quantifier(reader);
  return bounds === undefined ? item : { kind: 'repeat', item, ...bounds, lazy: reader.take('?') };
}

const COUNT_MAX = 1_000;

function quantifier(reader: Reader): { min: number; max: number } | undefined {
  if (reader.take('*')) return { min: 0, max: Infinity };
  if (reader.take('+')) return { min: 1, max: Infinity };
  if (reader.take('?')) return { min: 0, max: 1 };
  if (!reader.take('{')) return undefined;
  const [least = '', most] = reader.until('}').split(',');
  const min = Number(least);
  const max = most === undefined ? min : most === '' ? Infinity : Number(most);
  if (min > COUNT_MAX || (max > COUNT_MAX && max !== Infinity)) {
    throw new PatternFault(`A quantifier of the pattern counts beyond ${COUNT_MAX}.`);
  }
  return { min, max };
}

function atom(reader: Reader): Pattern {
  const char = reader.next();
  if (char === '(') return group(reader);
  if (char === '[') return { kind: 'chars', set: charClass(reader) };
  if (char === '.') return { kind: 'chars', set: complement(LINE_ENDS) };
  if (char === '^' || char === '$') return { kind: 'assertion', of: char };
  if (char !== '\\') return { kind: 'chars', set: only(char.codePointAt(0)!) };
  const escaped = reader.peek();
  if (escaped === 'b' || escaped === 'B') return { kind: 'assertion', of: reader.next() as 'b' | 'B' };
  if (escaped === 'k' || /[1-9]/.test(escaped)) {
    throw new PatternFault('The pattern has a backreference, whose cost cannot be bounded.');
  }
  return { kind: 'chars', set: escape(reader) };
}

function group(reader: Reader): Pattern {
  if (reader.take('?')) {
    if (reader.peek() === '=' || reader.peek() === '!' || (reader.peek() === '<' && /[=!]/.test(reader.peek(1)))) {
      throw new PatternFault('The pattern looks ahead or behind, whose cost cannot be bounded.');
    }
    if (reader.take('<')) reader.until('>');
    else if (!reader.take(':')) throw new PatternFault('The pattern changes its flags, which is not supported.');
  }
  reader.depth += 1;
  if (reader.depth > DEPTH_MAX) throw new PatternFault(`The groups of the pattern are nested beyond ${DEPTH_MAX}.`);
  const inner = choice(reader);
  reader.depth -= 1;
  if (!reader.take(')')) throw new PatternFault('The pattern lacks a ")".');
  return inner;
}

function charClass(reader: Reader): CharSet {
  const negated = reader.take('^');
  const sets: CharSet[] = [];
  // Unicode properties are known only roughly, so a negated class of them is taken for every character.
  let rough = false;
  while (!reader.take(']')) {
    if (reader.done) throw new PatternFault('The pattern lacks a "]".');
    rough ||= reader.peek() === '\\' && /[pP]/.test(reader.peek(1));
    const first = classMember(reader);
    if (reader.peek() === '-' && reader.peek(1) !== ']') {
      reader.next();
      const last = classMember(reader);
      sets.push([[first[0]![0], last.at(-1)![1]]]);
    } else sets.push(first);
  }
  if (!negated) return union(...sets);
  return rough ? ANY : complement(union(...sets));
}

function classMember(reader: Reader): CharSet {
  const char = reader.next();
  if (char !== '\\') return only(char.codePointAt(0)!);
  if (reader.take('b')) return only(0x08);
  return escape(reader);
}

const CLASSES: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACE],
  ['S', complement(SPACE)],
]);
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
  ['0', 0x00],
]);

/** What follows a backslash, within a class or outside of one. */
function escape(reader: Reader): CharSet {
  const char = reader.next();
  const set = CLASSES.get(char);
  if (set) return set;
  if (char === 'p' || char === 'P') return propertySet(`\\${char}${reader.next()}${reader.until('}')}}`);
  const control = CONTROLS.get(char);
  if (control !== undefined) return only(control);
  if (char === 'c') return only(reader.next().codePointAt(0)! % 32);
  if (char === 'x') return only(hex(reader, 2));
  if (char === 'u') return only(unicodeEscape(reader));
  return only(char.codePointAt(0)!);
}

function unicodeEscape(reader: Reader): number {
  if (reader.take('{')) return Number.parseInt(reader.until('}'), 16);
  const lead = hex(reader, 4);
  if (lead < 0xd800 || lead > 0xdbff || reader.peek() !== '\\' || reader.peek(1) !== 'u') return lead;
  const trail = Number.parseInt([2, 3, 4, 5].map((ahead) => reader.peek(ahead)).join(''), 16);
  if (!(trail >= 0xdc00 && trail <= 0xdfff)) return lead;
  for (let count = 0; count < 6; count++) reader.next();
  return (lead - 0xd800) * 0x400 + (trail - 0xdc00) + 0x10000;
}

function hex(reader: Reader, digits: number): number {
  let text = '';
  for (let count = 0; count < digits; count++) text += reader.next();
  return Number.parseInt(text, 16);
}
