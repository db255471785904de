import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, textOf } from '../../../functions/console/serving/csv.ts';

/** Reads a line of a CSV file (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [...`,${line.replace(/\r\n$/, '')}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

describe('a CSV file', () => {
  it.each([
    '=1+1',
    '+1+cmd',
    '-1+cmd',
    '@SUM(A1)',
    '=HYPERLINK("https://evil.example")',
    '\t=1',
    '\r=1',
    '＝1',
    '  =1',
  ])('holds no formula: %j', (cell) => {
    expect(cellsOf(csvLine([cell]))).toEqual([`'${cell}`]);
  });

  it.each(['-5', '-1,200.50', '+3%', 'a=b', '–', 'run_1'])('leaves what is no formula: %s', (cell) => {
    expect(cellsOf(csvLine([cell]))).toEqual([cell]);
  });

  it('gives back every cell, and none that a spreadsheet would run', () => {
    const hostile = tuple(constantFrom('', '=', '+', '-', '@', '\t', '"', ',', ' ', '＠'), string()).map((all) =>
      all.join(''),
    );
    assert(
      property(array(hostile, { minLength: 1, maxLength: 8 }), (cells) => {
        const line = csvLine(cells);
        const back = cellsOf(line);
        expect(back.map((cell) => cell.replace(/^'/, ''))).toEqual(cells.map((cell) => cell.replace(/^'/, '')));
        for (const cell of back) expect(cell.trimStart()).not.toMatch(/^[=@\t\r＝＠]|^[+-](?![\d.,%]*$)/);
      }),
    );
  });

  it('contains the text of a cell, with times as the API has them', () => {
    expect(textOf('<a href="/x">A &amp; B<span class="hidden"> of C</span></a><div class="small">2</div>')).toBe(
      'A & B 2',
    );
    expect(textOf('<time class="nowrap" datetime="2026-11-22T12:00:00Z" title="x">22 Nov</time>')).toBe(
      '2026-11-22T12:00:00Z',
    );
    expect(textOf('<a title="a > b" href="/x?a=1>2">A</a><br/>B')).toBe('A B');
    expect(textOf('&lt;b&gt;=1&lt;/b&gt; &amp;lt;')).toBe('<b>=1</b> &lt;');
  });
});
