import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pattern, PatternFault, patternOf } from '../../../functions/conversions/schemas/pattern.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const RUNS = isThorough ? 3_000 : 150;

/** What records are checked with in practice, and texts that each of them matches and does not match. */
const ORDINARY: readonly [pattern: string, matches: string, other: string][] = [
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-slug-of-2026', 'a--slug'],
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'a@b.c', 'a@b'],
  ['^[\\w.+-]+@(?:[\\w-]+\\.)+[A-Za-z]{2,}$', 'first.last+tag@mail.example.org', 'first.last@example'],
  ['^[a-zA-Z0-9._%+-]{1,64}@(?:[a-zA-Z0-9-]{1,63}\\.){1,8}[a-zA-Z]{2,63}$', 'a@b-c.example', '@b.example'],
  [
    "^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$",
    "o'neill@a-b.example",
    'a..b@example.org',
  ],
  ['^(\\w+\\s?)*$', 'words and words', '(words)'],
  ['^\\d{5}(-\\d{4})?$', '12345-6789', '12345-'],
  ['^\\d+(\\.\\d{1,2})?$', '12.99', '12.999'],
  ['^https?://', 'https://example.org', 'ftp://example.org'],
  ["^[\\p{L} .'-]{1,100}$", 'Zoë Müller', 'R2'],
  ['^\\p{Lu}\\p{Ll}*$', 'Éa', 'éa'],
  ['^\\p{Script=Greek}+$', 'Ωμέγα', 'Omega'],
  ['^.{1,1000}$', 'a line', 'two\u2028lines'],
  ['^\\s*\\S+$', '\u3000a', '\ufeff'],
  ['^(?<year>\\d{4})|(?<year>\\d{2})$', '2026', 'x'],
  ['^[[:a]+$', '[:a', 'b'],
  ['^[^]$', '\n', ''],
  ['^\\u{1F600}\\uD83D\\uDE00\\x41\\cA[\\b\\]]$', '😀😀A\u0001]', '😀'],
  ['\\bword\\b', 'a word.', 'swords'],
  ['', 'anything', '\ud800'],
];

const REFUSED: readonly [pattern: string, detail: RegExp][] = [
  ['(?=a)b', /looks ahead or behind \(\(\?=…\)/],
  ['^(?!.*x)a$', /looks ahead or behind \(\(\?!…\)/],
  ['(?<=a)b', /looks ahead or behind \(\(\?<=…\)/],
  ['(?<!a)b', /looks ahead or behind \(\(\?<!…\)/],
  ['(a)\\1', /refers back to a group \(\\1\)/],
  ['(?<x>a)\\k<x>', /refers back to a group \(\\k\)/],
  ['(?i:a)b', /changes its flags/],
  ['a{1001}', /exceed 1000/],
  ['((a{10}){10}){11}', /exceed 1000/],
  ['\\p{ID_Start}', /The pattern has \\p\{ID_Start\}, which is not supported/],
  ['a'.repeat(501), /longer than 500/],
  ...['(', '[a', 'a**', '\\', 'a{2,1}', '(?<a', '\\-', '{', '[b-a]', '\\u{110000}', '\\p{Nope}'].map(
    (pattern): [string, RegExp] => [pattern, /^The pattern is no regular expression: [^/]+\.$/],
  ),
];

describe('a pattern', () => {
  it.each(ORDINARY)('of records is accepted, and means what it means in JavaScript: %s', (source, matches, other) => {
    const [pattern, native] = [patternOf(source), new RegExp(source, 'u')];
    expect([pattern.test(matches), native.test(matches)]).toEqual([true, true]);
    if (source !== '') expect([pattern.test(other), native.test(other)]).toEqual([false, false]);
  });

  it.each(REFUSED)('that RE2 cannot express is refused by name: %s', (source, detail) => {
    expect(() => patternOf(source)).toThrow(PatternFault);
    expect(() => patternOf(source)).toThrow(detail);
  });

  it('takes every character as JavaScript does, by each kind of class', () => {
    const sources = ['.', '\\s', '\\S', '\\w', '\\W', '\\d', '\\D', '[\\s\\d]', '[^\\S]', '[\\S]', '[^\\w]'].concat(
      ['L', 'Lu', 'Nd', 'P', 'Emoji', 'White_Space', 'Script=Cyrillic', 'sc=Han', 'gc=Sc'].flatMap((name) => [
        `\\p{${name}}`,
        `[^\\P{${name}}]`,
      ]),
    );
    const step = isThorough ? 1 : 397;
    for (const source of sources) {
      const [pattern, native] = [patternOf(source), new RegExp(source, 'u')];
      for (let code = 0; code <= 0x10ffff; code += code < 0x800 ? 1 : step) {
        const text = String.fromCodePoint(code);
        if (text.isWellFormed() && pattern.test(text) !== native.test(text)) {
          expect.fail(`${source} differs at U+${code.toString(16)}`);
        }
      }
    }
  });

  it('means what it means in JavaScript, however it is put together', () => {
    let accepted = 0;
    fc.assert(
      fc.property(patternText, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
        const pattern = accepts(source);
        if (!pattern) return;
        accepted += 1;
        const native = new RegExp(source, 'u');
        for (const each of texts) expect(pattern.test(each), JSON.stringify([source, each])).toBe(native.test(each));
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 3);
  });

  it.each([
    '(a+)+$',
    '^(a|a)*$',
    '^(\\w+\\s?)*$',
    '(?:.*a){12}b$',
    '^(?:a?){50}a{50}$',
    '.*.*.*=$',
    '^(([a-z])+.)+[A-Z]$',
  ])('answers for long texts, where a backtracking engine never ends: %s', (source) => {
    const pattern = patternOf(source);
    for (const part of ['a', 'ab', 'x ']) expect(pattern.test(`${part.repeat(8_192 / part.length)}!`)).toBe(false);
  });

  it('never fails in another way than with its own fault, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: CODE_POINT }), fc.string({ unit: punctuation })), (source) => {
        accepts(source);
      }),
      { numRuns: RUNS / 3 },
    );
  });
});

function accepts(source: string): Pattern | undefined {
  try {
    return patternOf(source);
  } catch (error) {
    if (error instanceof PatternFault) return undefined;
    throw error;
  }
}

const punctuation = fc.constantFrom(...'()[]{}|?*+^$\\.,-:=!<>abpPkux0123'.split(''));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '-', '[', ':', ' ', '\n', '\v', '\u2028', 'é', '😀'),
  maxLength: 7,
});
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,3}', '{2,}', '*?', '+?', '??');
const member = fc.constantFrom(
  'a',
  'b',
  'c',
  '1',
  '[',
  ':',
  '-',
  '\\-',
  '\\]',
  '\\s',
  '\\S',
  '\\w',
  '\\W',
  '\\d',
  '\\p{L}',
  'a-c',
  '\\x61',
  '\\u{62}',
  '\\uD83D\\uDE00',
  '\\cJ',
  '\\b',
  '\\0',
  '^',
);

const { patternText } = fc.letrec<{ patternText: string; part: string; piece: string; atom: string }>((tie) => ({
  patternText: fc
    .tuple(fc.constantFrom('^', ''), fc.array(tie('piece'), { minLength: 1, maxLength: 4 }), fc.constantFrom('$', ''))
    .map(([start, pieces, end]) => `${start}${pieces.join('')}${end}`),
  part: fc.array(tie('piece'), { maxLength: 2 }).map((pieces) => pieces.join('')),
  piece: fc.tuple(tie('atom'), quantifier).map(([atom, bounds]) => `${atom}${bounds}`),
  atom: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', 'b', 'c', '1', '.', '\\s', '\\S', '\\w', '\\W', '\\d', '\\D', '\\n', '\\/', '/', '\\[', '\\.'),
    fc.constantFrom(
      '(?:^|a)',
      '(?:\\b)',
      '(?:\\B)',
      '(?:a|$)',
      '\\x61',
      '\\u0062',
      '\\u{63}',
      '\\uD83D\\uDE00',
      '\\cJ',
      '😀',
    ),
    fc
      .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 4 }))
      .map(([caret, members]) => `[${caret}${members.join('')}]`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), fc.array(tie('part'), { minLength: 1, maxLength: 3 }))
      .map(([start, parts]) => `${start}${parts.join('|')})`),
  ),
}));
