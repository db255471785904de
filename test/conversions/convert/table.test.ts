import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert, refusal } from './converting.ts';

const table = (value: unknown, from: string, to: string, more = {}) => ({ kind: 'table', value, from, to, ...more });

const ROWS = [
  { name: 'Acme', address: { city: 'Berlin' }, tags: ['a', 'b'], count: 1.5, note: '', gone: null },
  { name: 'Beta', address: { city: 'a,"b"\nc' } },
];

describe('tables', () => {
  it('writes members of members as columns with dotted names', async () => {
    expect(await convert(table(ROWS, 'json', 'csv'))).toEqual({
      value: 'name,address.city,tags.0,tags.1,count,note,gone\nAcme,Berlin,a,b,1.5,"",\nBeta,"a,""b""\nc",,,,,\n',
      rows: 2,
      guarded: 0,
    });
  });

  it('maps the names of columns to dotted paths, in both directions', async () => {
    const columns = { Town: 'address.city', Name: 'name' };
    const csv = await convert(table(ROWS, 'json', 'csv', { columns }));
    expect(csv.value).toBe('Town,Name\nBerlin,Acme\n"a,""b""\nc",Beta\n');
    const back = await convert(table(csv.value, 'csv', 'json', { columns }));
    expect(back.value).toEqual([
      { address: { city: 'Berlin' }, name: 'Acme' },
      { address: { city: 'a,"b"\nc' }, name: 'Beta' },
    ]);
  });

  it('takes only the columns that are listed', async () => {
    expect((await convert(table('a;b\n1;2', 'csv', 'ndjson', { delimiter: ';', columns: ['b'] }))).value).toBe(
      '{"b":"2"}\n',
    );
    const columns = { 'place.town': 'address.city' };
    expect((await convert(table(ROWS.slice(0, 1), 'json', 'json', { columns }))).value).toEqual([
      { place: { town: 'Berlin' } },
    ]);
  });

  it('keeps the digits of numbers that JavaScript would change', async () => {
    const rows = '[{"id":12345678901234567890,"price":1.10}]';
    expect((await convert(`{"kind":"table","value":${rows},"from":"json","to":"csv"}`)).value).toBe(
      'id,price\n12345678901234567890,1.10\n',
    );
    expect((await convert(table(rows, 'json', 'ndjson'))).value).toBe('{"id":12345678901234567890,"price":1.10}\n');
  });

  it('keeps members of every name apart from the prototype of objects', async () => {
    const rows = '[{"__proto__":{"polluted":1},"constructor":2,"a.b":3,"c":{"":4}}]';
    const csv = await convert(`{"kind":"table","value":${rows},"from":"json","to":"csv"}`);
    expect(csv.value).toBe('__proto__.polluted,constructor,a\\.b,c.\n1,2,3,4\n');
    const back = await convert(table(csv.value, 'csv', 'ndjson'));
    expect(back.value).toBe('{"__proto__":{"polluted":"1"},"constructor":"2","a.b":"3","c":{"":"4"}}\n');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it.each(['=1+1', '+cmd|/C calc', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1', '=HYPERLINK("http://x")'])(
    'makes no formula of %j',
    async (cell) => {
      const { value, guarded } = await convert(table([{ [cell]: cell }], 'json', 'csv'));
      expect(guarded).toBe(2);
      for (const line of String(value).split(/(?<=")\n|(?<!\r)\n/)) expect(line).not.toMatch(/^"?[=+\-@\t\r＝]/);
    },
  );

  it('leaves formulas to whoever asks for raw cells', async () => {
    const item = { kind: 'table', value: [{ a: '=1+1' }], from: 'json', to: 'csv', csvFormulas: 'raw' };
    expect(await convert(JSON.stringify(item))).toMatchObject({ value: 'a\n=1+1\n', guarded: 0 });
  });

  it.each(['-5', '+4930123456', '-1.5e10', 'a=b'])('leaves %s as it is', async (cell) => {
    expect(await convert(table([{ a: cell }], 'json', 'csv'))).toMatchObject({ value: `a\n${cell}\n`, guarded: 0 });
  });

  it('reads a byte order mark, and tells an empty cell from an empty text', async () => {
    const { value } = await convert(table('\ufeffa,b\n"",\n', 'csv', 'json'));
    expect(value).toEqual([{ a: '' }]);
  });

  it.each([
    ['a,b\n1\n', 'csv'],
    ['a,a\n1,2\n', 'csv'],
    ['a,a.b\n1,2\n', 'csv'],
    ['a.b,a\n1,2\n', 'csv'],
    ['a\n"1', 'csv'],
    ['a.b.c.d.e.f.g.h.i\n1', 'csv'],
    [Array.from({ length: 201 }, (_, index) => `c${index}`).join(','), 'csv'],
    ['{', 'ndjson'],
    ['[1]', 'ndjson'],
    ['{}', 'json'],
    ['[1]', 'json'],
    ['[null]', 'json'],
    [`[{"a":${'['.repeat(3_000)}1${']'.repeat(3_000)}}]`, 'json'],
    ['['.repeat(8_000), 'json'],
  ])('refuses %.30s as %s', async (value, from) => {
    expect(await refusal(table(value, from, from === 'csv' ? 'json' : 'csv'))).toMatchObject({
      code: 'unparseable-value',
    });
  });

  it('refuses a table of few values and very many cells', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ [`member${index}`]: 1 }));
    expect(await refusal(table(rows, 'json', 'csv'))).toMatchObject({ code: 'unparseable-value' });
  });

  it('refuses a column that the table does not have', async () => {
    expect(await refusal(table('a\n1', 'csv', 'json', { columns: ['b'] }))).toMatchObject({
      facts: { pointer: '/columns' },
    });
  });

  it('has nothing to say of no rows', async () => {
    expect(await convert(table([], 'json', 'csv'))).toEqual({ value: '', rows: 0, guarded: 0 });
    expect(await convert(table('', 'csv', 'json'))).toEqual({ value: [], rows: 0 });
  });

  it('returns to the same rows of text through CSV and through NDJSON', async () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((each) => !/^[\d=+\-@'＝]/.test(each));
    const text = fc.string({ maxLength: 12 }).map((each) => `v${each}`);
    const row = fc.dictionary(
      name,
      fc.oneof(
        text,
        fc.array(text, { minLength: 1, maxLength: 3 }),
        fc.dictionary(name, text, { minKeys: 1, maxKeys: 3 }),
      ),
      {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('csv', 'ndjson'),
        async (rows, format) => {
          const there = await convert(table(rows, 'json', format));
          expect((await convert(table(there.value, format, 'json'))).value).toEqual(rows);
        },
      ),
    );
  });
});
