import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternCost, stepsOf } from '../../../../functions/conversions/validate/schemas/pattern-cost.ts';
import {
  type Pattern,
  PatternFault,
  parsePattern,
} from '../../../../functions/conversions/validate/schemas/pattern-syntax.ts';
import { isThorough } from '../../../support/thoroughness.ts';
import { backtrack } from './backtracker.ts';

const RUNS = isThorough ? 1_500 : 400;

const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  'a backreference': ['(a)\\1', '^(a+)b\\1$', '(?<x>a)\\k<x>', '(.*)\\1+$', '^(?:(a)|b)\\1$'],
  'look ahead or behind': ['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '^(?=.*\\d)(?=.*[a-z]).{8,}$', '^(?:a(?=b))$'],
  'a quantifier inside a quantified group': [
    '(a+)+',
    '^(a+)+$',
    '^(a*)*$',
    '(a?)*b',
    '^([a-zA-Z]+)*$',
    '(x+x+)+y',
    '^(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(.*a){12}',
    '^((ab)*)+$',
    '^(?:a?){20}a{20}$',
    '^(?:a{1,3}){1,30}$',
    '(?:(?:a+)b?)+c',
    '^(?<word>a+)+$',
    '^(([a-z])+)+$',
    '(a|b+)*c',
  ],
  'alternatives that overlap under a quantifier': [
    '(a|aa)+',
    '^(a|a)*$',
    '^(a|ab|b)*$',
    '(\\d|\\w)+x',
    '(.|\\n|a)*b',
    '^(?:foo|far)*$',
    '^(?:[a-m]|[m-z])+$',
    '(a|)*b',
    '(|a)+b',
    '^(\\p{L}|é)*$',
    '(?:a|(?:b|a))+c',
  ],
  'unbounded quantifiers that overlap, one after the other': [
    '\\d+\\d+',
    '^.*.*$',
    'a*a*b',
    '^\\w+\\d+$',
    '^\\d*\\w*$',
    '^.*a.*b$',
    '^[\\s\\S]*x[\\s\\S]*y$',
    '^a*b?a*c$',
    '^\\s*\\s*\\w$',
    '^a*?a*?b$',
    '^a{2,}a{3,}$',
    '^(?:ab)*(?:ab)*c$',
    '^\\s+$|^a*a*b$',
    '^(?:a*|b)a*c$',
    '^a+(?:^|$|\\b)a+$',
    '^\\p{L}+é+$',
    '.*.*=.*',
  ],
  'too many ways, each of them bounded': [
    `^${'a?'.repeat(60)}${'a'.repeat(60)}$`,
    `^${'(a|a)'.repeat(40)}$`,
    '^a{0,900}a{0,900}b$',
    '^((a{999}){999}){999}$',
    `^${'(?:a|ab)'.repeat(25)}c$`,
  ],
  'a nest or a count without measure': ['a{1001}', 'a{2,1001}', 'a{5000,}', `${'('.repeat(21)}a${')'.repeat(21)}`],
  'no regular expression': ['(', '[a', 'a**', '\\', 'a{2,1}', '(?<a', '\\-', '{', '[b-a]', '\\u{110000}', '\\p{Nope}'],
  'more than 256 characters': ['a'.repeat(257)],
  'flags of its own': ['(?i:a)b'],
};

/** What records are checked with in practice. */
const HARMLESS: readonly string[] = [
  '',
  '^$',
  'abc',
  '^[A-Z]{2}$',
  '^\\d{5}(-\\d{4})?$',
  '^\\d+(\\.\\d{1,2})?$',
  '^\\+[1-9]\\d{1,14}$',
  '^[^@\\s]+@[^@\\s]+$',
  '^(?:yes|no|maybe)$',
  '^https?://',
  '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
  "^[\\p{L} .'-]{1,100}$",
  '^\\p{Lu}\\p{Ll}*$',
  '^[A-Z0-9]+$',
  '^\\s*\\S',
  '\\.(?:jpg|png)$',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  '^(?:\\d{3}-)*\\d$',
  '^[a-z]+:[0-9]+;[a-z]+$',
  '^.*foo$',
  '^\\u{1F600}\\uD83D\\uDE00\\x41\\cA[\\b\\]]$',
  '\\bword\\b',
  '[A-Z]+',
  '^(?:ab|cd)+$',
];

describe('the cost of a pattern', () => {
  const hostile = Object.entries(HOSTILE).flatMap(([why, patterns]) => patterns.map((pattern) => [why, pattern]));

  it.each(hostile)('refuses %s: %s', (_why, pattern) => {
    expect(() => patternCost(pattern)).toThrow(PatternFault);
  });

  it.each(HARMLESS)('accepts %s', (pattern) => {
    expect(() => patternCost(pattern)).not.toThrow();
  });

  it('bounds what a backtracking engine does, on texts made to make it go back', () => {
    let accepted = 0;
    fc.assert(
      fc.property(patternText, fc.array(fc.nat(1_000), { maxLength: 40 }), (source, choices) => {
        const cost = accepts(source);
        if (!cost) return;
        accepted += 1;
        const pattern = parsePattern(source);
        for (const text of adversaries(pattern, choices)) {
          const most = 4 * stepsOf(cost, Array.from(text).length) + 100;
          expect(backtrack(pattern, text, most).steps, JSON.stringify({ source, text })).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(isThorough ? 200 : RUNS / 20);
  });

  it('reads a pattern as JavaScript does', () => {
    fc.assert(
      fc.property(patternText, fc.array(fc.nat(1_000), { maxLength: 30 }), (source, choices) => {
        if (!accepts(source)) return;
        const pattern = parsePattern(source);
        const native = new RegExp(source, 'u');
        for (const text of adversaries(pattern, choices).map((long) => long.slice(0, 60))) {
          expect(backtrack(pattern, text).matches, JSON.stringify({ source, text })).toBe(native.test(text));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each(HARMLESS)('stays within its bound for %s', (source) => {
    const pattern = parsePattern(source);
    for (const text of adversaries(pattern, [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])) {
      const { steps, matches } = backtrack(pattern, text);
      expect(steps).toBeLessThanOrEqual(4 * stepsOf(patternCost(source), Array.from(text).length) + 100);
      expect(matches).toBe(new RegExp(source, 'u').test(text));
    }
  });

  it('never fails in another way than with its own fault, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: punctuation })), (source) => {
        try {
          patternCost(source);
        } catch (error) {
          expect(error).toBeInstanceOf(PatternFault);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function accepts(source: string) {
  try {
    return patternCost(source);
  } catch (error) {
    if (error instanceof PatternFault) return undefined;
    throw error;
  }
}

const punctuation = fc.constantFrom(...'()[]{}|?*+^$\\.,-:=!<>abpPkux0123'.split(''));

const quantifierText = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,3}', '{2,}', '*?', '+?', '??', '{1,20}');

const { patternText } = fc.letrec<{ patternText: string; part: string; piece: string; atom: string }>((tie) => ({
  patternText: fc
    .tuple(fc.constantFrom('^', ''), fc.array(tie('piece'), { minLength: 1, maxLength: 5 }), fc.constantFrom('$', ''))
    .map(([start, pieces, end]) => `${start}${pieces.join('')}${end}`),
  part: fc.array(tie('piece'), { maxLength: 3 }).map((pieces) => pieces.join('')),
  piece: fc.tuple(tie('atom'), quantifierText).map(([atom, quantifier]) => `${atom}${quantifier}`),
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', 'c', '[ab]', '[^a]', '.', '\\w', '\\d', '1', '[b-d]'),
    fc.constantFrom('(?:a|b)', '(?:ab|c)', '(?:^|a)', '(?:\\b)', '(?:a|$)'),
    fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => `(?:${parts.join('|')})`),
  ),
}));

/** Texts that the pattern nearly matches: walks through it that repeat much, then a character that spoils them. */
function adversaries(pattern: Pattern, choices: readonly number[]): string[] {
  let at = 0;
  const pick = (count: number) => (choices.length === 0 ? 0 : choices[at++ % choices.length]! % count);
  const walk = (node: Pattern, long: number): string => {
    switch (node.kind) {
      case 'assertion':
        return '';
      case 'chars': {
        const usual = Array.from('ab1c-').filter((char) =>
          node.set.some(([f, l]) => f <= char.charCodeAt(0) && char.charCodeAt(0) <= l),
        );
        const range = node.set[pick(Math.max(1, node.set.length))];
        return usual[pick(Math.max(1, usual.length))] ?? (range ? String.fromCodePoint(range[0]) : '');
      }
      case 'sequence':
        return node.items.map((item) => walk(item, long)).join('');
      case 'choice':
        return walk(node.options[pick(node.options.length)]!, long);
      default: {
        const count = Math.min(node.max, Math.max(node.min, pick(3) === 0 ? pick(4) : long));
        const once = walk(node.item, 2);
        return pick(2) === 0
          ? once.repeat(count)
          : Array.from({ length: Math.min(count, 30) }, () => walk(node.item, 2)).join('');
      }
    }
  };
  const walks = [walk(pattern, 10), walk(pattern, 60), walk(pattern, 150)].map((text) => text.slice(0, 400));
  const pumped = walks.map((text) => text.slice(0, 3).repeat(60));
  return [
    ...walks,
    ...walks.map((text) => `${text}!`),
    ...pumped,
    'a'.repeat(200),
    `${'ab'.repeat(100)}\u2028`,
    `${'a'.repeat(120)}b1`,
  ];
}
