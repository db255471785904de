import { createRequire } from 'node:module';
import { parse as parseLiqe } from 'liqe';
import { bind } from '../../../functions/records/query/bind.ts';
import { parse } from '../../../functions/records/query/parse.ts';
import type { RecordSchema } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';

/** Of one typical query, and of the worst query that the limits let through. */
const TARGETS = { typicalMicroseconds: 50, worstMilliseconds: 50 };

const TYPICAL: readonly (readonly [text: string, schema: RecordSchema])[] = [
  ['hammer', SCHEMAS.products],
  ['brand:acme', SCHEMAS.products],
  ['city:austin AND province:TX', SCHEMAS.businesses],
  ['categories:restaurant AND (city:austin OR city:dallas)', SCHEMAS.businesses],
  ['name:"taco bell" AND country:US AND -province:CA', SCHEMAS.businesses],
  ['name:star* AND categories:(coffee OR tea) AND NOT websites:*', SCHEMAS.businesses],
  ['prices.amountMin:[10 TO 20] AND prices.currency:USD', SCHEMAS.products],
  ['dateAdded:[2020-01-01 TO 2020-12-31] AND numBedroom:>=3 AND city:seattle', SCHEMAS.properties],
];

/** Each within 8 KB, most of them also within the other limits. */
const HOSTILE: Readonly<Record<string, string>> = {
  'one long word': 'a'.repeat(8192),
  'one long phrase': `"${'a-'.repeat(4095)}"`,
  'one long word of many': 'a-'.repeat(4096),
  'one long word beyond ASCII': 'é-'.repeat(2730),
  'many words': 'a b '.repeat(512),
  'many clauses with AND': `a${' AND b'.repeat(1023)}`,
  'many negations': 'NOT a '.repeat(1024),
  'many wildcards': 'a*? '.repeat(1024),
  'one word of wildcards': '*?'.repeat(4096),
  'one word of wildcards and letters': '*a'.repeat(4096),
  'many ranges': '[a TO b]'.repeat(1024),
  'many comparisons': 'dateAdded:>2020 '.repeat(512),
  'deep groups': `${'('.repeat(50)}${'a OR b '.repeat(500)}${')'.repeat(50)}`,
  'deep groups all the way': `${'(a '.repeat(50)}${')'.repeat(50)} `.repeat(20),
  'open groups': '('.repeat(8192),
  'open groups with words': '(a OR '.repeat(1365),
  'open quotes': '" '.repeat(4096),
  'odd quotes': `${'"a" '.repeat(1023)}"`,
  escapes: '\\a'.repeat(4096),
  boosts: 'a^1 '.repeat(1024),
  tildes: 'a~b~'.repeat(2048),
  colons: 'a:'.repeat(4096),
  'unknown fields': 'a:b '.repeat(1024),
  signs: '+-'.repeat(4096),
  'a number without end': `yearOpened:${'1'.repeat(8000)}`,
};

/** Microseconds per query, beside two published parsers, and the longest that ours takes for a query made to hurt it. */
export async function benchParser(): Promise<void> {
  const parseLucene = luceneParser();
  console.log(`\nParsing: microseconds per query (target ${TARGETS.typicalMicroseconds})`);
  console.table(
    TYPICAL.map(([query, schema]) => ({
      query,
      'ours, with binding': microseconds(() => parseAndBind(query, schema)),
      lucene: microseconds(() => parseLucene(query)),
      liqe: microseconds(() => parseLiqe(query)),
    })),
  );

  const times = Object.entries(HOSTILE).map(([name, query]) => ({ name, ...slowest(query) }));
  times.sort((a, b) => b.milliseconds - a.milliseconds);
  console.log(`Hostile queries within 8 KB: the slowest of 50 times (target ${TARGETS.worstMilliseconds} ms)`);
  console.table(times.map(({ milliseconds, ...rest }) => ({ ...rest, milliseconds: Number(milliseconds.toFixed(2)) })));
  await Promise.resolve();
}

function parseAndBind(query: string, schema: RecordSchema): string {
  const parsed = parse(query);
  const bound = parsed.ok ? bind(parsed.expression, schema) : parsed;
  return bound.ok ? 'answered' : bound.message;
}

/** After warming up, over a fifth of a second; a parser that cannot read the query says so instead. */
function microseconds(work: () => unknown): number | string {
  try {
    for (let round = 0; round < 300; round++) work();
  } catch {
    return 'refused';
  }
  let rounds = 0;
  const start = performance.now();
  while (performance.now() - start < 200) {
    for (let round = 0; round < 20; round++) work();
    rounds += 20;
  }
  return Number((((performance.now() - start) * 1000) / rounds).toFixed(1));
}

function slowest(query: string): { milliseconds: number; answer: string } {
  let milliseconds = 0;
  let answer = '';
  for (let round = 0; round < 50; round++) {
    const start = performance.now();
    answer = parseAndBind(query, SCHEMAS.businesses);
    milliseconds = Math.max(milliseconds, performance.now() - start);
  }
  return { milliseconds, answer: answer.slice(0, 60) };
}

/** The package has no types. */
function luceneParser(): (query: string) => unknown {
  const require = createRequire(import.meta.url);
  const lucene: unknown = require('lucene');
  if (typeof lucene !== 'object' || lucene === null || !('parse' in lucene) || typeof lucene.parse !== 'function') {
    throw new TypeError('the package lucene exports no parse');
  }
  const { parse } = lucene;
  return (query) => {
    const tree: unknown = parse(query);
    return tree;
  };
}
