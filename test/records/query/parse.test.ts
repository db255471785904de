import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression, Value } from '../../../functions/records/query/ast.ts';
import { MAX_CLAUSES, MAX_DEPTH, MAX_QUERY_BYTES, parse } from '../../../functions/records/query/parse.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

/** The tree in a fixed spelling: `or` for groups, `and` for clauses, an operand beside OR in `<>`. */
function spelled(text: string): string {
  const parsed = parse(text);
  return parsed.ok ? spellLevel(parsed.expression) : parsed.message;
}

function spellLevel(expression: Expression): string {
  const groups = expression.groups.map(({ clauses, besideOr }) => {
    const spelling = clauses.map(({ modifier, field, value }) => {
      const prefix = modifier === 'not' ? 'not ' : (modifier ?? '');
      return prefix + (field === undefined ? '' : `${field.name}@${field.at}=`) + spellValue(value);
    });
    return besideOr ? `<${spelling.join(' and ')}>` : spelling.join(' and ');
  });
  return groups.join(' or ');
}

function spellValue(value: Value): string {
  switch (value.kind) {
    case 'expression':
      return `(${spellLevel(value.expression)})`;
    case 'any':
      return 'any';
    case 'quoted':
      return `phrase ${JSON.stringify(value.text)}`;
    case 'wildcard':
      return value.parts.map((part) => ('literal' in part ? JSON.stringify(part.literal) : part.any)).join('+');
    case 'range': {
      const from = value.from === undefined ? 'open' : `${value.from.inclusive ? '>=' : '>'}${value.from.text}`;
      const to = value.to === undefined ? 'open' : `${value.to.inclusive ? '<=' : '<'}${value.to.text}`;
      return `range ${from} ${to}`;
    }
    default:
      return JSON.stringify(value.text);
  }
}

describe('the grammar', () => {
  it.each([
    // Levels and groups.
    ['a', '"a"'],
    ['a b', '"a" or "b"'],
    ['a OR b', '<"a"> or <"b">'],
    ['a || b', '<"a"> or <"b">'],
    ['a AND b', '"a" and "b"'],
    ['a && b', '"a" and "b"'],
    ['a AND b OR c', '<"a" and "b"> or <"c">'],
    ['a b AND c', '"a" or "b" and "c"'],
    ['a OR b c', '<"a"> or <"b"> or "c"'],
    ['(a OR b) AND c', '(<"a"> or <"b">) and "c"'],
    ['(a)(b)', '("a") or ("b")'],
    ['a(b)', '"a" or ("b")'],
    ['a AND(b)', '"a" and ("b")'],
    ['\ta\u3000b\u00a0\n', '"a" or "b"'],
    // Marks.
    ['+a -b !c NOT d', '+"a" or -"b" or not "c" or not "d"'],
    ['NOT(a b)', 'not ("a" or "b")'],
    ['a AND NOT b', '"a" and not "b"'],
    ['a - b', '"a" or -"b"'],
    ['-f:v', '-f@1="v"'],
    // Values.
    ['"a b"', 'phrase "a b"'],
    ['"a""b"', 'phrase "a" or phrase "b"'],
    [String.raw`"a \"b\" \\ \c"`, String.raw`phrase "a \"b\" \\ c"`],
    ['f:"x" y', 'f@0=phrase "x" or "y"'],
    ['a*', '"a"+run'],
    ['a**?*b', '"a"+one+run+"b"'],
    ['*', 'any'],
    ['***', 'any'],
    ['?', 'one'],
    ['f:*', 'f@0=any'],
    ['*:*', '*@0=any'],
    ['_exists_:prices', '_exists_@0="prices"'],
    ['a.b:c', 'a.b@0="c"'],
    // Ranges and comparisons.
    ['f:[a TO b]', 'f@0=range >=a <=b'],
    ['f:{a TO b}', 'f@0=range >a <b'],
    ['f:[a TO b}', 'f@0=range >=a <b'],
    ['f:{a TO b]', 'f@0=range >a <=b'],
    ['f:[* TO *]', 'f@0=range open open'],
    ['f:["a b" TO "*"]', 'f@0=range >=a b <=*'],
    [String.raw`f:[\* TO a\]b]`, 'f@0=range >=* <=a]b'],
    ['f:[  1   TO   2  ]', 'f@0=range >=1 <=2'],
    ['[a TO b]', 'range >=a <=b'],
    ['f:>1', 'f@0=range >1 open'],
    ['f:>=1', 'f@0=range >=1 open'],
    ['f:<1', 'f@0=range open <1'],
    ['f:<=1', 'f@0=range open <=1'],
    ['f:> 1', 'f@0=range >1 open'],
    ['f:>"a b"', 'f@0=range >a b open'],
    ['>1', 'range >1 open'],
    // A field applies to its group, an inner one overrides it.
    ['f:(a g:b)', 'f@0=("a" or g@5="b")'],
    // Boosts are skipped.
    ['a^2 "b c"^0.5 (d)^3 f:[1 TO 2]^4', '"a" or phrase "b c" or ("d") or f@20=range >=1 <=2'],
  ])('reads %s', (text, tree) => {
    expect(spelled(text)).toBe(tree);
  });

  it.each([
    ['and', '"and"'],
    ['Or', '"Or"'],
    ['a not b', '"a" or "not" or "b"'],
    ['TO', '"TO"'],
    ['ANDY', '"ANDY"'],
    ['ORANGE', '"ORANGE"'],
    [String.raw`\AND`, '"AND"'],
    [String.raw`a O\R b`, '"a" or "OR" or "b"'],
    ['"AND"', 'phrase "AND"'],
    ['a&&b', '"a&&b"'],
    ['AND:x', 'AND@0="x"'],
  ])('takes operators only in upper case, unescaped, unquoted and alone: %s', (text, tree) => {
    expect(spelled(text)).toBe(tree);
  });

  it.each([
    [String.raw`a\:b`, '"a:b"'],
    [String.raw`\-a`, '"-a"'],
    [String.raw`a\ b`, '"a b"'],
    [String.raw`\*`, '"*"'],
    [String.raw`a\?*`, '"a?"+run'],
    [String.raw`\(a\)`, '"(a)"'],
    [String.raw`f\.g:\/x\/`, 'f.g@0="/x/"'],
    [String.raw`a\~2`, '"a~2"'],
    [String.raw`a\^2`, '"a^2"'],
    ['\\\u{1f600}', '"\u{1f600}"'],
  ])('takes any character literally after a backslash: %s', (text, tree) => {
    expect(spelled(text)).toBe(tree);
  });
});

describe('input that other parsers reject', () => {
  it.each([
    ['f:-97.7', 'f@0="-97.7"'],
    ['f:+5', 'f@0="+5"'],
    ['f:-.5', 'f@0="-.5"'],
    ['f:>=-97.7', 'f@0=range >=-97.7 open'],
    ['f:[-98 TO -97.5]', 'f@0=range >=-98 <=-97.5'],
    ['f:>=2017-01-01T00:00:00Z', 'f@0=range >=2017-01-01T00:00:00Z open'],
    ['f:2017-01-01T00:00:00Z', 'f@0="2017-01-01T00:00:00Z"'],
    ['f:[2017-01-01T00:00:00Z TO http://x]', 'f@0=range >=2017-01-01T00:00:00Z <=http://x'],
    ['f:http://x.y/a?b=1', 'f@0="http://x.y/a"+one+"b=1"'],
    ['f:http://x.y/~joe z', 'f@0="http://x.y/~joe" or "z"'],
    ['(f:http://x)', '(f@1="http://x")'],
    ['f:a b', 'f@0="a" or "b"'],
    ['f: a', 'f@0="a"'],
    [String.raw`f:5\"`, String.raw`f@0="5\""`],
    [String.raw`f:http://x/a_\(b\)`, 'f@0="http://x/a_(b)"'],
    ['f:""', 'f@0=phrase ""'],
    ['-field"x y"', '-"field" or phrase "x y"'],
    ['field"x"', '"field" or phrase "x"'],
    ['wal-mart c++ yahoo! a/b', '"wal-mart" or "c++" or "yahoo!" or "a/b"'],
  ])('is read as meant: %s', (text, tree) => {
    expect(spelled(text)).toBe(tree);
  });
});

describe('a wrong query', () => {
  it.each([
    ['', 'it is empty'],
    [' \t\u3000', 'it is empty'],
    ['a AND', 'a value is missing at the end'],
    ['a OR', 'a value is missing at the end'],
    ['NOT', 'a value is missing at the end'],
    ['-', 'a value is missing at the end'],
    ['f:', 'a value is missing at the end'],
    ['f:>', 'a value is missing at the end'],
    ['AND a', 'unexpected AND at character 1'],
    ['a OR OR b', 'unexpected OR at character 6'],
    ['a AND && b', 'unexpected AND at character 7'],
    ['f:AND', 'unexpected AND at character 3'],
    ['NOT NOT a', 'unexpected NOT at character 5'],
    ['+-a', 'unexpected - at character 2'],
    ['f:-a', 'unexpected - at character 3'],
    ['f:!a', 'unexpected ! at character 3'],
    ['f:-(a)', 'unexpected - at character 3'],
    ['()', 'unexpected ) at character 2'],
    ['a)', 'unexpected ) at character 2'],
    ['(a', 'the parenthesis at character 1 is not closed'],
    ['f:(a', 'the parenthesis at character 3 is not closed'],
    ['a "b', 'the quote at character 3 is not closed'],
    ['"a\\', 'the quote at character 1 is not closed'],
    ['a\\', 'nothing follows the last \\'],
    [':a', 'unexpected : at character 1'],
    ['"f":a', 'unexpected : at character 4'],
    ['a]', 'unexpected ] at character 2'],
    ['}', 'unexpected } at character 1'],
    ['a^', '^ needs a number: unexpected text at character 3'],
    ['a^b', '^ needs a number: unexpected text at character 3'],
    ['a^2^3', '^ needs a number: unexpected text at character 4'],
    ['^2', 'unexpected ^ at character 1'],
    ['/a.*/', 'regular expressions are not supported: unexpected / at character 1'],
    ['f:/a/', 'regular expressions are not supported: unexpected / at character 3'],
    ['a~', 'fuzzy search is not supported: unexpected ~ at character 2'],
    ['a~0.8', 'fuzzy search is not supported: unexpected ~ at character 2'],
    ['f:a~2^3', 'fuzzy search is not supported: unexpected ~ at character 4'],
    ['"a b"~3', 'fuzzy search is not supported: unexpected ~ at character 6'],
    ['[a TO', 'a range is written [from TO to]: missing TO at character 4'],
    ['[a to b]', 'a range is written [from TO to]: missing TO at character 4'],
    ['[a b]', 'a range is written [from TO to]: missing TO at character 4'],
    ['[TO b]', 'a range is written [from TO to]: missing bound at character 2'],
    ['[a TO ]', 'a range is written [from TO to]: missing bound at character 7'],
    ['[]', 'a range is written [from TO to]: missing bound at character 2'],
    ['[a TO b', 'a range is written [from TO to]: missing ] at character 8'],
    ['[a TO b c]', 'a range is written [from TO to]: missing ] at character 9'],
    ['["a TO b]', 'the quote at character 2 is not closed'],
    ['f:>a*', 'a comparison does not support wildcards'],
    ['f:>(a)', 'unexpected ( at character 4'],
    ['f:abc"', 'unexpected " at character 6'],
    ['f:5" g', 'unexpected " at character 4'],
    ['f:a"b c"', 'unexpected " at character 4'],
    ['(f:a")', 'unexpected " at character 5'],
    ['f:a*"', 'unexpected " at character 5'],
    ['f:>5"', 'unexpected " at character 5'],
    ['f:[a" TO b]', 'a range is written [from TO to]: missing TO at character 5'],
    ['f:[a TO b"]', 'a range is written [from TO to]: missing ] at character 10'],
    ['abc"', 'the quote at character 4 is not closed'],
    ['f:"a""', 'the quote at character 6 is not closed'],
    ['f:"', 'the quote at character 3 is not closed'],
    ['f"', 'the quote at character 2 is not closed'],
    ['(f:a(b)', 'unexpected ( at character 5'],
    ['f:a(b)', 'unexpected ( at character 4'],
    ['f:a[1 TO 2]', 'unexpected [ at character 4'],
    ['f:a{', 'unexpected { at character 4'],
    ['f:a]', 'unexpected ] at character 4'],
    ['f:a}', 'unexpected } at character 4'],
    ['f:]', 'unexpected ] at character 3'],
    ['f::a', 'unexpected : at character 3'],
    ['f::', 'unexpected : at character 3'],
    ['f:>>5', 'unexpected > at character 4'],
    ['f:<>5', 'unexpected > at character 4'],
    ['f:{key:a value:b}', 'a range is written [from TO to]: missing TO at character 10'],
  ])('is refused with what is wrong: %s', (text, problem) => {
    expect(spelled(text)).toBe(`invalid query: ${problem}`);
  });
});

describe('a stray quote', () => {
  it('is refused wherever it stands in a valid query', () => {
    const queries = ['f:a', 'f:(a b) g:c', 'f:[a TO b] c', 'a "b c" d', 'f:http://x/y AND >5', 'NOT f:a* "b"'];
    const strayed = fc
      .constantFrom(...queries)
      .chain((text) => fc.nat(text.length).map((at) => `${text.slice(0, at)}"${text.slice(at)}`));
    fc.assert(
      fc.property(strayed, (text) => {
        expect(spelled(text)).toMatch(/^invalid query: /);
      }),
    );
  });
});

describe('the limits', () => {
  it('are 8 KB of UTF-8', () => {
    expect(parse('a'.repeat(MAX_QUERY_BYTES)).ok).toBe(true);
    expect(spelled('a'.repeat(MAX_QUERY_BYTES + 1))).toBe('invalid query: longer than 8192 bytes');
    expect(parse('é'.repeat(MAX_QUERY_BYTES / 2)).ok).toBe(true);
    expect(spelled(`${'é'.repeat(MAX_QUERY_BYTES / 2)}a`)).toBe('invalid query: longer than 8192 bytes');
  });

  it('are 50 nested groups', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(parse(nested(MAX_DEPTH)).ok).toBe(true);
    expect(spelled(nested(MAX_DEPTH + 1))).toBe('invalid query: more than 50 nested groups');
    expect(parse(`${nested(MAX_DEPTH)} ${nested(MAX_DEPTH)}`).ok).toBe(true);
  });

  it('are 1,024 clauses', () => {
    expect(parse('a '.repeat(MAX_CLAUSES)).ok).toBe(true);
    expect(spelled('a '.repeat(MAX_CLAUSES + 1))).toBe('invalid query: more than 1024 clauses');
    expect(spelled('(a) '.repeat(MAX_CLAUSES + 1))).toBe('invalid query: more than 1024 clauses');
  });
});

describe('hostile texts', () => {
  const pieces = [
    '(',
    ')',
    '((a ',
    '(a OR ',
    'f:(',
    '-(',
    'NOT ',
    '"',
    '" ',
    '"a',
    '\\',
    '\\"',
    '*',
    '?',
    '*?',
    'a*',
    '[',
    '{',
    '[a TO ',
    '[* TO *]',
    '^',
    '^1',
    'a^',
    '~',
    '~1',
    '/',
    '/a',
    ':',
    'a:',
    'a:b:',
    '+',
    '-',
    '!',
    '&',
    '&&',
    '|| ',
    'AND ',
    'OR ',
    'a AND ',
    '>',
    '>=',
    '<a ',
    'a',
    'é',
    '\u{1f600}',
    '\ud800',
    '\u0000',
    ' ',
    '_exists_:',
    '*:',
    'a.',
    '.',
  ];

  it.each(pieces)('return a result, however often %j is repeated', (piece) => {
    for (const bytes of [50, 8192, 16_384]) {
      for (const tail of ['', 'a', ')', '"', ']']) {
        const parsed = parse(piece.repeat(Math.ceil(bytes / piece.length)) + tail);
        if (!parsed.ok) expect(parsed.message).toMatch(/^invalid query: /);
      }
    }
  });

  it('never make the parser throw', () => {
    const syntax = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(syntax, fc.string({ unit: CODE_POINT }), fc.string()), (text) => {
        const parsed = parse(text);
        expect(parsed.ok || parsed.message.startsWith('invalid query: ')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
