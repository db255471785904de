/** Every statement of the specifications stands in `specification.md`, beside the test that holds it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Statement {
  readonly place: string;
  readonly text: string;
  /** Below `test/`, without `.test.ts`. */
  readonly file: string;
  /** The titles around the test and its own, as a failure names it. */
  readonly test: string;
}

const lines = readFileSync(join(import.meta.dirname, 'specification.md'), 'utf8').split('\n');

/** The rows below each heading of the page. */
const documents = new Map<string, Statement[]>();
let rows: Statement[] = [];
for (const line of lines) {
  if (line.startsWith('## ')) documents.set(line.slice(3), (rows = []));
  const [, place, text, file, test, ...more] = line.split('|').map((cell) => cell.trim());
  if (!line.startsWith('| ') || place === 'section') continue;
  if (!place || !text || more.length !== 1) throw new Error(`This is no row of the table: ${line}`);
  rows.push({ place, text, file: file?.replaceAll('`', '') ?? '', test: test ?? '' });
}

const titlesOf = new Map<string, ReadonlySet<string>>();

/** The full titles of the tests that a file runs whenever it runs. */
function titlesIn(file: string): ReadonlySet<string> {
  const path = join(import.meta.dirname, `${file}.test.ts`);
  const cached = titlesOf.get(file) ?? new Set(existsSync(path) ? titles(path) : []);
  titlesOf.set(file, cached);
  return cached;
}

/** A call of `describe`, `it` or `test` up to its title, also with `.each`; one that is skipped is none. */
const TITLED =
  /^( *)(?:(?:describe|it|test)(?:\.each(?:<.*>)?\(.*\))?|\].*\)|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`),\s/gm;

/** By the indentation that the formatter gives. */
function titles(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const result: string[] = [];
  let around: { readonly depth: number; readonly title: string }[] = [];
  for (const { 1: indent = '', 2: text, 3: template, index } of source.matchAll(TITLED)) {
    const title = template ?? text?.replaceAll(/\\(.)/g, '$1') ?? '';
    const opened = source
      .slice(0, index + indent.length + 8)
      .matchAll(new RegExp(`^${indent}(describe|it|test)\\b`, 'gm'));
    around = around.filter(({ depth }) => depth < indent.length);
    if ([...opened].at(-1)?.[1] === 'describe') around.push({ depth: indent.length, title });
    else result.push([...around.map((suite) => suite.title), title].join(' > '));
  }
  return result;
}

it('the three specifications are there', () => {
  expect([...documents.keys()]).toHaveLength(3);
});

describe.each([...documents])('%s', (_name, statements) => {
  it.each(statements)('$place: $text', ({ file, test }) => {
    expect([...titlesIn(file)]).toContain(test);
  });
});
