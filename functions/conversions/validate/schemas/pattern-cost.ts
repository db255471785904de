import { type CharSet, NONE, overlap, union } from './char-set.ts';
import { type Pattern, PatternFault, parsePattern } from './pattern-syntax.ts';

const LENGTH_MAX = 256;
const FIXED_MAX = 20_000;
const PER_CHARACTER_MAX = 500;

/** The steps that a backtracking engine may take for a pattern, at most. */
export interface PatternCost {
  readonly fixed: number;
  readonly perCharacter: number;
  /** The match can only begin at the start of the text; otherwise it is tried at every character. */
  readonly anchored: boolean;
}

export function stepsOf({ fixed, perCharacter, anchored }: PatternCost, length: number): number {
  return (fixed + perCharacter * length) * (anchored ? 1 : length + 1) + length;
}

/**
 * Refuses (`PatternFault`) each pattern for which a text could make a backtracking engine try more than a linear number
 * of ways from one place. A pattern that is refused need not be slow; one that is accepted is bounded by its cost.
 */
export function patternCost(source: string): PatternCost {
  if (source.length > LENGTH_MAX) throw new PatternFault(`The pattern is longer than ${LENGTH_MAX} characters.`);
  try {
    new RegExp(source, 'u');
  } catch (error) {
    throw new PatternFault(`The pattern is no regular expression: ${(error as Error).message}.`);
  }
  const pattern = parsePattern(source);
  const { fixed, perCharacter } = before(pattern, END);
  if (fixed > FIXED_MAX || perCharacter > PER_CHARACTER_MAX) {
    throw new PatternFault(
      'The pattern can match a text in too many ways. Make its parts begin with other characters.',
    );
  }
  return { fixed, perCharacter, anchored: isAnchored(pattern) };
}

/** The rest of a pattern, from some place in it to its end. */
interface Rest {
  /** What the next character may be. */
  readonly first: CharSet;
  /** It matches wherever it is tried, so the engine never comes back to what stands before it. */
  readonly always: boolean;
  /** Steps until it fails at a character that is not in `first`. */
  readonly head: number;
  /** Steps for one try: constant, and for each character of the text. */
  readonly fixed: number;
  readonly perCharacter: number;
  /** The characters of its unbounded quantifiers. */
  readonly unbounded: CharSet;
  /** How many characters it matches without its unbounded quantifiers, at most. */
  readonly width: number;
}

const END: Rest = { first: NONE, always: true, head: 1, fixed: 1, perCharacter: 0, unbounded: NONE, width: 0 };

/** The rest of a pattern that begins with `pattern` and goes on with `rest`. */
function before(pattern: Pattern, rest: Rest): Rest {
  switch (pattern.kind) {
    case 'chars':
      return { ...rest, first: pattern.set, always: false, head: 1, fixed: rest.fixed + 1, width: rest.width + 1 };
    case 'assertion':
      return { ...rest, always: false, head: rest.head + 1, fixed: rest.fixed + 1 };
    case 'sequence':
      return pattern.items.reduceRight((after, item) => before(item, after), rest);
    case 'choice':
      return oneOf(pattern.options.map((option) => before(option, rest)));
    default:
      return beforeRepeat(pattern, rest);
  }
}

/** A choice costs its dearest option, unless one character can begin several: then each is tried, to the very end. */
function oneOf(options: readonly Rest[]): Rest {
  const sum = (of: (option: Rest) => number) => options.reduce((total, option) => total + of(option), 0);
  const most = (of: (option: Rest) => number) => Math.max(...options.map(of));
  const head = sum((option) => option.head + 1);
  const tried = anyOverlap(options.map((option) => option.first)) ? sum : most;
  return {
    first: union(...options.map((option) => option.first)),
    always: options.some((option) => option.always),
    head,
    fixed: head + tried((option) => option.fixed),
    perCharacter: tried((option) => option.perCharacter),
    unbounded: union(...options.map((option) => option.unbounded)),
    width: most((option) => option.width),
  };
}

function anyOverlap(sets: readonly CharSet[]): boolean {
  return sets.some((one, index) => sets.slice(index + 1).some((other) => overlap(one, other)));
}

type Repeat = Extract<Pattern, { kind: 'repeat' }>;

function beforeRepeat({ item, min, max }: Repeat, rest: Rest): Rest {
  if (max === 0) return rest;
  if (max === 1) return min === 1 ? before(item, rest) : oneOf([before(item, rest), rest]);
  const once = iteration(item);
  if (min === max) {
    return {
      ...rest,
      first: once.first,
      always: false,
      head: once.head + 1,
      fixed: rest.fixed + min * once.steps + 1,
      width: rest.width + min * once.width,
    };
  }
  const ambiguous = !rest.always && overlap(once.first, rest.first);
  const shape = {
    first: min === 0 ? union(once.first, rest.first) : once.first,
    always: min === 0 && rest.always,
    head: once.head + rest.head + 1,
  };
  return max === Infinity
    ? { ...shape, ...unbounded(once, { min, rest, ambiguous }) }
    : { ...shape, ...bounded(once, { min, max, rest, ambiguous }) };
}

type Costs = Pick<Rest, 'fixed' | 'perCharacter' | 'unbounded' | 'width'>;

function bounded(
  once: Iteration,
  { min, max, rest, ambiguous }: { min: number; max: number; rest: Rest; ambiguous: boolean },
): Costs {
  const places = max - min + 1;
  const tries = ambiguous ? places : 1;
  return {
    fixed: (max + 1) * once.steps + places * rest.head + tries * rest.fixed,
    perCharacter: tries * rest.perCharacter,
    unbounded: rest.unbounded,
    width: rest.width + max * once.width,
  };
}

/**
 * Where the rest may begin with a character that the quantifier takes too, it is tried at every place that the quantifier
 * reached. That is linear as long as the rest is short there: its own unbounded quantifiers must take other characters,
 * so they get to run only from places near the end of this one, no farther away than the width of what stands between.
 */
function unbounded(once: Iteration, { min, rest, ambiguous }: { min: number; rest: Rest; ambiguous: boolean }): Costs {
  if (ambiguous && overlap(once.chars, rest.unbounded)) {
    throw new PatternFault(
      'Two unbounded quantifiers of the pattern can take the same characters, one after the other. ' +
        'Give one of them an upper bound, or put a character between them that the first cannot take.',
    );
  }
  const scanned = rest.always ? 0 : once.steps + rest.head;
  return {
    fixed: (min + 1) * once.steps + rest.fixed + rest.head,
    perCharacter: scanned + (ambiguous ? rest.fixed + (rest.width + 1) * rest.perCharacter : rest.perCharacter),
    unbounded: union(rest.unbounded, once.chars),
    width: rest.width + min * once.width,
  };
}

/** What a quantifier repeats. From where it begins there is one way to match it, or none. */
interface Iteration {
  readonly first: CharSet;
  readonly chars: CharSet;
  readonly head: number;
  readonly steps: number;
  readonly width: number;
}

const NOTHING: Iteration = { first: NONE, chars: NONE, head: 0, steps: 1, width: 0 };

function iteration(item: Pattern): Iteration {
  const once = straight(item);
  if (once.width === 0) throw new PatternFault('The pattern repeats a group that can match nothing.');
  return once;
}

function straight(item: Pattern): Iteration {
  switch (item.kind) {
    case 'chars':
      return { first: item.set, chars: item.set, head: 2, steps: 2, width: 1 };
    case 'assertion':
      return { ...NOTHING, head: 1, steps: 2 };
    case 'sequence':
      return item.items.map(straight).reduceRight(joined, NOTHING);
    case 'choice':
      return alternatives(item.options.map(straight));
    default:
      return counted(item);
  }
}

const joined = (after: Iteration, one: Iteration): Iteration => ({
  first: one.width === 0 ? after.first : one.first,
  chars: union(one.chars, after.chars),
  head: one.width === 0 ? one.head + after.head : one.head,
  steps: one.steps + after.steps,
  width: one.width + after.width,
});

function alternatives(options: readonly Iteration[]): Iteration {
  if (options.some(({ width }) => width === 0)) {
    throw new PatternFault('The pattern repeats a group of which an alternative can match nothing.');
  }
  if (anyOverlap(options.map(({ first }) => first))) {
    throw new PatternFault(
      'The pattern repeats alternatives that can begin with the same character. Make them begin with different ones.',
    );
  }
  return {
    first: union(...options.map(({ first }) => first)),
    chars: union(...options.map(({ chars }) => chars)),
    head: options.reduce((total, { head }) => total + head + 1, 1),
    steps: options.reduce((total, { steps }) => total + steps + 1, 1),
    width: Math.max(...options.map(({ width }) => width)),
  };
}

/** A fixed count stands for writing its item so many times. Any other would give the repeated group several ways. */
function counted({ item, min, max }: Repeat): Iteration {
  if (min !== max) {
    throw new PatternFault(
      'The pattern has a quantifier inside a group that a quantifier repeats. Write the repetitions out, or split the value.',
    );
  }
  const once = straight(item);
  return max === 0 ? NOTHING : { ...once, steps: once.steps * max + 1, width: once.width * max };
}

/** Whether each way to match begins with `^`. */
function isAnchored(pattern: Pattern): boolean {
  if (pattern.kind === 'assertion') return pattern.of === '^';
  if (pattern.kind === 'sequence') return pattern.items[0] !== undefined && isAnchored(pattern.items[0]);
  return pattern.kind === 'choice' && pattern.options.every(isAnchored);
}
