import { describe, expect, it } from 'vitest';
import { bind } from '../../../functions/records/query/bind.ts';
import { MAX_CLAUSES, parse } from '../../../functions/records/query/parse.ts';
import type { Query, TermBound } from '../../../functions/records/query/query.ts';
import type { RecordSchema } from '../../../functions/records/schemas/schema.ts';

/** Small, so that bare terms stay readable: `t` is the one default field. */
const SCHEMA: RecordSchema = {
  type: 'products',
  singular: 'product',
  fields: {
    t: { kind: 'text', list: true, searchedByDefault: true },
    u: { kind: 'text' },
    k: { kind: 'keyword' },
    n: { kind: 'number' },
    d: { kind: 'date' },
    b: { kind: 'boolean' },
    o: { kind: 'object', fields: { t: { kind: 'text' }, n: { kind: 'number' } } },
    id: { kind: 'keyword' },
  },
};

function bound(text: string, schema = SCHEMA): string {
  const parsed = parse(text);
  if (!parsed.ok) return parsed.message;
  const result = bind(parsed.expression, schema);
  return result.ok ? spelled(result.query) : result.message;
}

function spelled(query: Query): string {
  switch (query.kind) {
    case 'and':
      return `(${query.of.map(spelled).join(' ∩ ')})`;
    case 'or':
      return `(${query.of.map(spelled).join(' ∪ ')})`;
    case 'not':
      return `¬${spelled(query.of)}`;
    case 'term':
      return `${query.path}=${query.term}`;
    case 'phrase':
      return `${query.path}="${query.terms.join(' ')}"`;
    case 'prefix':
      return `${query.path}=${query.prefix}…`;
    case 'wildcard':
      return `${query.path}~${query.pattern.map((part) => ('literal' in part ? part.literal : part.any === 'one' ? '?' : '*')).join('')}`;
    case 'exists':
      return `${query.path}∃`;
    case 'numberRange':
      return `${query.path}${query.fromInclusive ? '[' : '('}${query.from},${query.to}${query.toInclusive ? ']' : ')'}`;
    case 'termRange':
      return `${query.path}${edge(query.from, '[', '(')},${edge(query.to, ']', ')')}`;
    default:
      return query.kind;
  }
}

function edge(bound: TermBound | undefined, inclusive: string, exclusive: string): string {
  return bound === undefined ? '∞' : `${bound.inclusive ? inclusive : exclusive}${bound.term}`;
}

describe('a level', () => {
  it.each([
    ['a', 't=a'],
    ['a b', '(t=a ∪ t=b)'],
    ['a OR b', '(t=a ∪ t=b)'],
    ['a AND b', '(t=a ∩ t=b)'],
    ['a AND b OR c', '((t=a ∩ t=b) ∪ t=c)'],
    ['a OR b AND c', '(t=a ∪ (t=b ∩ t=c))'],
    ['(a OR b) AND c', '((t=a ∪ t=b) ∩ t=c)'],
    ['a b AND c d', '(t=a ∪ (t=b ∩ t=c) ∪ t=d)'],
  ])('joins by OR by default, AND before OR: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['+a', 't=a'],
    ['+a b', 't=a'],
    ['+a +b c', '(t=a ∩ t=b)'],
    ['-a', '¬t=a'],
    ['a -b', '(t=a ∩ ¬t=b)'],
    ['a b -c -d', '((t=a ∪ t=b) ∩ ¬(t=c ∪ t=d))'],
    ['+a b -c', '(t=a ∩ ¬t=c)'],
    ['-a -b', '¬(t=a ∪ t=b)'],
    ['a NOT b', '(t=a ∩ ¬t=b)'],
    ['a !b', '(t=a ∩ ¬t=b)'],
    ['NOT a', '¬t=a'],
    ['a OR NOT b', '(t=a ∪ ¬t=b)'],
    ['a || !b', '(t=a ∪ ¬t=b)'],
    ['NOT a OR b', '(¬t=a ∪ t=b)'],
    ['a OR b NOT c', '((t=a ∪ t=b) ∩ ¬t=c)'],
    ['a OR -b', '(t=a ∩ ¬t=b)'],
    ['+a OR b', 't=a'],
    ['+a OR NOT b', 't=a'],
  ])('keeps required clauses, leaves out forbidden ones: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['a AND -b', '(t=a ∩ ¬t=b)'],
    ['a AND NOT b', '(t=a ∩ ¬t=b)'],
    ['+a AND b c', '((t=a ∩ t=b) ∪ t=c)'],
    ['-a AND -b c', '((¬t=a ∩ ¬t=b) ∪ t=c)'],
    ['+c (a AND b)', 't=c'],
  ])('takes a group of clauses as their intersection, whatever their marks: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['a AND (-b)', '(t=a ∩ ¬t=b)'],
    ['(-a) (-b)', '(¬t=a ∪ ¬t=b)'],
    ['a (-b)', '(t=a ∪ ¬t=b)'],
    ['-(-a)', 't=a'],
    ['-(a b)', '¬(t=a ∪ t=b)'],
    ['NOT (a AND b)', '¬(t=a ∩ t=b)'],
    ['((((a))))', 't=a'],
    ['(a b) c', '(t=a ∪ t=b ∪ t=c)'],
    ['(a AND b) AND c', '(t=a ∩ t=b ∩ t=c)'],
    ['(+a b) c', '(t=a ∪ t=c)'],
  ])('takes a purely negative group for all except, and needless nesting away: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['*:*', 'all'],
    ['*', 'all'],
    ['-*:*', 'none'],
    ['*:* -a', '¬t=a'],
    ['a OR *:*', 'all'],
    ['a AND *:*', 't=a'],
    ['a OR "--"', 't=a'],
    ['a AND "--"', 'none'],
    ['a -"--"', 't=a'],
  ])('drops what changes nothing: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });
});

describe('fields', () => {
  it.each([
    ['u:a', 'u=a'],
    ['u:a b', '(u=a ∪ t=b)'],
    ['u:(a b)', '(u=a ∪ u=b)'],
    ['u:(a OR k:b)', '(u=a ∪ k=b)'],
    ['u:(a (b AND k:(c d)))', '(u=a ∪ (u=b ∩ (k=c ∪ k=d)))'],
    ['u:(a *:b)', '(u=a ∪ t=b)'],
    ['o.t:a', 'o.t=a'],
    ['*:a', 't=a'],
    ['*:(a b)', '(t=a ∪ t=b)'],
  ])('apply to their value or group, an inner one overrides: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['t:*', 't∃'],
    ['n:*', 'n∃'],
    ['o:*', 'o∃'],
    ['o.n:*', 'o.n∃'],
    ['o:(*)', 'o∃'],
    ['t:***', 't∃'],
    ['t:[* TO *]', 't∃'],
    ['n:{* TO *}', 'n∃'],
    ['_exists_:o', 'o∃'],
    ['_exists_:o.n', 'o.n∃'],
    ['_exists_:"o.n"', 'o.n∃'],
    ['_exists_:(t OR k)', '(t∃ ∪ k∃)'],
    ['-_exists_:t', '¬t∃'],
  ])('can be asked for any value: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it('that no term names are the default fields of the schema, all of them', () => {
    const fields = { name: { kind: 'text', searchedByDefault: true }, ...SCHEMA.fields } as const;
    expect(bound('New-York', { ...SCHEMA, fields })).toBe('(name="new york" ∪ t="new york")');
    expect(bound('-a', { ...SCHEMA, fields })).toBe('¬(name=a ∪ t=a)');
  });
});

describe('values', () => {
  it.each([
    ['u:Ab', 'u=ab'],
    ['u:wal-Mart', 'u="wal mart"'],
    ['u:"New York, NY"', 'u="new york ny"'],
    ['u:"one"', 'u=one'],
    ['u:"a* b?"', 'u="a b"'],
    ['u:東京', 'u=東京'],
    ['u:""', 'none'],
    [String.raw`u:\-\-`, 'none'],
    ['k:Ab-1', 'k=ab-1'],
    ['k:"New York"', 'k=new york'],
    ['k:http://X.y/Z', 'k=http://x.y/z'],
    ['k:""', 'none'],
    ['b:TRUE', 'b=true'],
    ['b:"False"', 'b=false'],
    ['n:5', 'n[5,5]'],
    ['n:"-97.7"', 'n[-97.7,-97.7]'],
    ['n:-0', 'n[0,0]'],
  ])('of text are words, of keywords whole: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['u:Wal*', 'u=wal…'],
    ['u:wal**', 'u=wal…'],
    ['u:w*l', 'u~w*l'],
    ['u:?', 'u~?'],
    ['u:w*?*', 'u~w?*'],
    ['u:*Mart', 'u~*mart'],
    ["u:o'b*", 'none'],
    ['u:*-x', 'none'],
    ['u:\\ *', 'none'],
    ['k:AB-*', 'k=ab-…'],
    ['k:*-x?', 'k~*-x?'],
    [String.raw`k:a\*b*`, 'k=a*b…'],
    ['Wal*', 't=wal…'],
  ])('with wildcards stand for whole terms, which in text are single words: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it.each([
    ['u:[B TO d}', 'u[b,)d'],
    ['u:>New', 'u(new,∞'],
    ['k:<="A b"', 'k∞,]a b'],
    ['k:[b TO a]', 'none'],
    ['k:[a TO A]', 'k[a,]a'],
    ['k:[a TO a}', 'none'],
    ['[a TO c]', 't[a,]c'],
    ['n:[1 TO 2}', 'n[1,2)'],
    ['n:>=-1', 'n[-1,Infinity]'],
    ['n:<1e3', 'n[-Infinity,1000)'],
    ['n:[2 TO 1]', 'none'],
    ['n:{1 TO 1]', 'none'],
  ])('between bounds: %s', (text, meaning) => {
    expect(bound(text)).toBe(meaning);
  });

  it('of dates are intervals: bounds include or exclude the whole of what they name', () => {
    const from = Date.UTC(2020, 0);
    const to = Date.UTC(2021, 0) - 1;
    expect(bound('d:2020')).toBe(`d[${from},${to}]`);
    expect(bound('d:"2020"')).toBe(`d[${from},${to}]`);
    expect(bound('d:>=2020')).toBe(`d[${from},Infinity]`);
    expect(bound('d:>2020')).toBe(`d(${to},Infinity]`);
    expect(bound('d:<=2020')).toBe(`d[-Infinity,${to}]`);
    expect(bound('d:<2020')).toBe(`d[-Infinity,${from})`);
    expect(bound('d:[2020 TO 2020]')).toBe(`d[${from},${to}]`);
    expect(bound('d:{2020 TO 2020}')).toBe('none');
    expect(bound('d:[2020-01-01T00:00:00Z TO 2020-12]')).toBe(`d[${from},${to}]`);
  });
});

describe('a query that the schema cannot answer', () => {
  it.each([
    ['x:a', 'x'],
    ['a x:b', 'x'],
    ['o.x:a', 'o.x'],
    ['k.x:a', 'k.x'],
    ['o.t.x:a', 'o.t.x'],
    ['x:*', 'x'],
    ['_exists_:x', 'x'],
    ['_exists_:"o.x"', 'o.x'],
    ['_exists_:(t y x)', 'y'],
    ['_exists_:x*', 'x*'],
    ['-(a AND (b OR x:(y:c)))', 'x'],
    ['t:(a y:b) x:c', 'y'],
    ['t*:a', 't*'],
    ['T:a', 'T'],
    ['constructor:a', 'constructor'],
    ['__proto__:a', '__proto__'],
    ['o.toString:a', 'o.toString'],
    ['n:word x:a', 'x'],
    ['http://y.z', 'http'],
  ])('names the first unknown field, before any other problem: %s', (text, field) => {
    expect(bound(text)).toBe(`${field} does not exist in product schema`);
  });

  it.each(['business', 'product', 'property'] as const)('says %s where that is the schema', (singular) => {
    expect(bound('x:a', { ...SCHEMA, singular })).toBe(`x does not exist in ${singular} schema`);
  });

  it.each([
    ['n:word', 'n must be a number, not "word"'],
    ['n:"1 2"', 'n must be a number, not "1 2"'],
    ['n:[1 TO x]', 'n must be a number, not "x"'],
    ['n:>x', 'n must be a number, not "x"'],
    ['n:1*', 'n does not support wildcards'],
    ['n:?', 'n does not support wildcards'],
    [`n:${'x'.repeat(500)}`, `n must be a number, not "${'x'.repeat(40)}"`],
    ['o.n:(1 OR word)', 'o.n must be a number, not "word"'],
    ['d:yesterday', 'd must be a date such as 2020-03-04, not "yesterday"'],
    ['d:[2020-13 TO *]', 'd must be a date such as 2020-03-04, not "2020-13"'],
    ['d:2020*', 'd does not support wildcards'],
    ['b:yes', 'b must be true or false'],
    ['b:t*', 'b must be true or false'],
    ['b:[a TO z]', 'b must be true or false'],
    ['o:a', 'o contains other fields: search one of them, or o:*'],
    ['o:[* TO *]', 'o contains other fields: search one of them, or o:*'],
    ['o:(* a)', 'o contains other fields: search one of them, or o:*'],
    ['_exists_:*', '_exists_ needs the name of a field'],
    ['_exists_:[a TO b]', '_exists_ needs the name of a field'],
    ['n:x d:y', 'n must be a number, not "x"'],
    ['-n:x', 'n must be a number, not "x"'],
  ])('says which value does not fit: %s', (text, problem) => {
    expect(bound(text)).toBe(`invalid query: ${problem}`);
  });
});

it('the bound query grows no faster than the text times the default fields', () => {
  const size = (text: string): number => {
    const parsed = parse(text);
    const result = parsed.ok ? bind(parsed.expression, SCHEMA) : parsed;
    return result.ok ? JSON.stringify(result.query).length : 0;
  };
  const texts = [
    'a '.repeat(MAX_CLAUSES),
    'a-'.repeat(4000),
    `${'('.repeat(50)}${'a AND b '.repeat(500)}${')'.repeat(50)}`,
  ];
  for (const text of texts) expect(size(text)).toBeLessThan(text.length * 40);
});
