import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../../cdk/local/logs/insights/evaluation.ts';
import { parseQuery } from '../../../../cdk/local/logs/insights/parser.ts';

const NOON = Date.UTC(2026, 10, 26, 12);

const eventsOf = (lines: readonly (object | string)[]) =>
  lines.map((line, i) => ({
    id: i + 1,
    at: NOON + i * 20_000,
    message: typeof line === 'string' ? line : JSON.stringify(line),
    log: '000000000000:group',
    stream: 'local',
  }));

const results = (query: string, lines: readonly (object | string)[], limit = 10_000) =>
  evaluate(parseQuery(query), eventsOf(lines), limit).rows.map((row) => Object.fromEntries(row));

describe('a query', () => {
  it('shows time and message of all events, the newest first, if it names no fields', () => {
    expect(results('limit 2', ['one', 'two', 'three'])).toEqual([
      { '@timestamp': '2026-11-26 12:00:40.000', '@message': 'three' },
      { '@timestamp': '2026-11-26 12:00:20.000', '@message': 'two' },
    ]);
  });

  it('names the members of objects and lists by their paths', () => {
    const line = { error: { name: 'Odd', cause: null }, values: [7, 8], ok: true };
    expect(results('fields error.name, error.cause, values, values.1, ok, @log, @logStream', [line])).toEqual([
      { 'error.name': 'Odd', 'values.1': '8', ok: 'true', '@log': '000000000000:group', '@logStream': 'local' },
    ]);
  });

  it.each([
    ['status = "429"', [1]],
    ['status = 429', [1]],
    ['status != "429"', [0, 2]],
    ['status > 429', [2]],
    ['status >= 429 and route = "GET /b"', [2]],
    ['status < 429', [0]],
    ['status <= 429', [0, 1]],
    ['status like /^5/', [2]],
    ['route like "/a"', [0, 1]],
    ['status in [200, 503]', [0, 2]],
    ['status = "200" or status = "503" and route = "GET /a"', [0]],
    ['(status = "200" or status = "503") and route = "GET /b"', [2]],
    ['route > 1', []],
    ['missing != "x"', []],
  ])('filters by %s', (condition, matches) => {
    const lines = [
      { status: '200', route: 'GET /a' },
      { status: '429', route: 'GET /a' },
      { status: '503', route: 'GET /b' },
      { other: 1 },
    ];
    const rows = results(`filter ${condition} | sort @timestamp asc | fields status`, lines);
    expect(rows.map(({ status }) => lines.findIndex((line) => 'status' in line && line.status === status))).toEqual(
      matches,
    );
  });

  it('counts by fields and by time, where a missing field is a group of its own', () => {
    const lines = [{ a: 1 }, { a: 1 }, { a: 2 }, {}, { a: 1 }];
    expect(results('stats count(*) by a, bin(1m)', lines)).toEqual([
      { a: '1', 'bin(1m)': '2026-11-26 12:01:00.000', 'count(*)': '1' },
      { 'bin(1m)': '2026-11-26 12:01:00.000', 'count(*)': '1' },
      { a: '2', 'bin(1m)': '2026-11-26 12:00:00.000', 'count(*)': '1' },
      { a: '1', 'bin(1m)': '2026-11-26 12:00:00.000', 'count(*)': '2' },
    ]);
  });

  it('has a row without groups even when nothing matches', () => {
    expect(results('filter a = 1 | stats count(*) as n', [{ a: 2 }])).toEqual([{ n: '0' }]);
    expect(results('filter a = 1 | stats count(*) as n by a', [{ a: 2 }])).toEqual([]);
  });

  it('sums a field of the lines that have it', () => {
    const lines = [{ a: 2 }, { a: '0.5' }, { a: 'x' }, { a: [7] }, {}];
    expect(results('stats sum(a)', lines)).toEqual([{ 'sum(a)': '2.5' }]);
  });

  it('has a percentile that so many of the values do not exceed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.integer({ min: 0, max: 100 }), (values, percent) => {
        const lines = values.map((value) => ({ value: String(value) }));
        const [{ p = '' } = {}] = results(`stats pct(value, ${percent}) as p`, lines);
        expect(values).toContain(Number(p));
        const share = (part: readonly number[]) => (100 * part.length) / values.length;
        expect(share(values.filter((value) => value <= Number(p)))).toBeGreaterThanOrEqual(percent);
        expect(share(values.filter((value) => value < Number(p)))).toBeLessThanOrEqual(percent);
      }),
    );
  });

  it('sorts numbers as numbers, before texts and after what is missing', () => {
    const lines = [{ a: 'x' }, { a: '10' }, {}, { a: '9' }];
    expect(results('sort a asc | fields a', lines)).toEqual([{}, { a: '9' }, { a: '10' }, { a: 'x' }]);
    expect(results('sort a desc | fields a | limit 1', lines)).toEqual([{ a: 'x' }]);
  });

  it('is cut by the limit of the call, unless it has its own', () => {
    const lines = [{ a: 1 }, { a: 2 }, { a: 3 }];
    expect(results('fields a', lines, 1)).toEqual([{ a: '3' }]);
    expect(results('fields a | limit 2', lines, 1)).toEqual([{ a: '3' }, { a: '2' }]);
  });
});
