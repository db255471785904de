import { describe, expect, it } from 'vitest';
import { NO_IMPORT_MAP, parseImportMap } from '../../../../shared/import/rows/parse-import-map.ts';

describe('an import map', () => {
  it('assigns a column to one field, several fields or none, and sets constants', () => {
    const json = {
      columns: { A: 'name', B: ['upc', 'ean'], C: null, D: 'prices.amountMin' },
      constants: { country: 'US' },
    };
    expect(parseImportMap(json)).toEqual({
      ok: true,
      map: {
        columns: new Map([
          ['A', ['name']],
          ['B', ['upc', 'ean']],
          ['C', []],
          ['D', ['prices.amountMin']],
        ]),
        constants: new Map([['country', 'US']]),
      },
    });
  });

  it('may be empty', () => {
    expect(parseImportMap({})).toEqual({ ok: true, map: NO_IMPORT_MAP });
  });

  it.each([
    [null, /expected object/],
    [[], /expected object/],
    ['x', /expected object/],
    [{ colums: {} }, /colums/],
    [{ columns: [] }, /columns/],
    [{ columns: { A: 5 } }, /must be a field, null, or a list of fields\n.*columns\.A/],
    [{ columns: { A: [null] } }, /columns\.A/],
    [{ columns: { A: '' } }, /columns\.A/],
    [{ constants: 'US' }, /constants/],
  ])('is refused with what is wrong: %j', (json, message) => {
    const parsed = parseImportMap(json);
    expect(parsed.ok ? '' : parsed.message).toMatch(/^not an import map: /);
    expect(parsed.ok ? '' : parsed.message).toMatch(message);
  });
});
