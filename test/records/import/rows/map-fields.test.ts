import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberConverter } from '../../../../functions/records/import/rows/convert-row.ts';
import { mapFields } from '../../../../functions/records/import/rows/map-field-names.ts';
import { validateBody } from '../../../../functions/records/import/rows/validate.ts';
import { leafPaths, SCHEMAS } from '../../../../functions/records/schemas/schemas.ts';
import { readMap } from '../../../../shared/import/rows/parse-import-map.ts';

const { products: SCHEMA } = SCHEMAS;
const FIELDS = mapFields(SCHEMA);

function complaint(map: unknown): string {
  const read = readMap(JSON.stringify(map), FIELDS);
  return read.ok ? '' : read.message;
}

describe('the text of an import map', () => {
  it('is read when it names fields, sub-fields, objects, features of any name, or nothing', () => {
    const columns = { A: 'name', B: ['upc', 'id'], C: null, D: 'prices.amountMin', E: 'features.Made in', F: 'prices' };
    expect(readMap(JSON.stringify({ columns, constants: { brand: 'x' } }), FIELDS).ok).toBe(true);
    expect(readMap('{}', FIELDS).ok).toBe(true);
  });

  it.each([
    [{ columns: { A: 'nme' } }, 'nme does not exist in product schema; did you mean name?'],
    [{ columns: { A: ['upc', 'Name'] } }, 'Name does not exist in product schema; did you mean name?'],
    [{ constants: { manufactured: 'x' } }, 'did you mean manufacturer or manufacturerNumber?'],
    [{ columns: { A: 'prices.amountMn' } }, 'did you mean prices.amountMin or prices.amountMax'],
    [{ columns: { A: 'name.first' } }, 'name.first does not exist in product schema'],
    [{ columns: { A: 'features.' } }, 'features. does not exist in product schema'],
    [{ columns: { A: '.name' } }, '.name does not exist in product schema'],
    [{ columns: { A: 'constructor' } }, 'constructor does not exist in product schema\n'],
    [{ columns: { A: 'zq' } }, '  zq does not exist in product schema\n'],
  ])('is refused for unknown fields, with the nearest ones: %j', (map, text) => {
    expect(complaint(map)).toContain(text);
  });

  it('is refused once for all unknown fields, with the list of fields', () => {
    const columns = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`c${i}`, `${'x'.repeat(50)}${i}`]));
    const lines = complaint({ columns }).split('\n');
    expect(lines[0]).toBe('the import map names unknown fields');
    expect(lines[1]).toBe(`  ${'x'.repeat(40)} does not exist in product schema`);
    expect(lines[11]).toBe('  and 4 more');
    expect(lines).toHaveLength(13);
    expect(lines[12]).toMatch(/^Fields of products: asins, .*prices\.amountMin, .*, id, features\.NAME$/);
    for (const { path } of leafPaths(SCHEMA)) expect(lines[12]).toContain(path);
  });

  it('is refused when it is not JSON or not a map', () => {
    expect(readMap('{', FIELDS)).toEqual({ ok: false, message: 'not an import map: it is not valid JSON' });
    expect(complaint({ colums: {} })).toContain('not an import map: ');
  });

  it('is refused exactly when a record that it fills would be refused for an unknown field', () => {
    const paths = leafPaths(SCHEMA).map(({ path }) => path);
    const path = fc.oneof(
      fc.constantFrom(...paths, 'prices', 'features', 'features.x', 'features.x.y'),
      fc.constantFrom(...paths).map((path) => `${path}s`),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(path, (name) => {
        const text = JSON.stringify({ columns: { A: name } });
        const read = readMap(text, FIELDS);
        const map = { columns: new Map([['A', [name]]]), constants: new Map() };
        const converted = memberConverter(SCHEMA, map)({ A: 'true' });
        const validated = converted.ok ? validateBody(SCHEMA, converted.input) : converted;
        const reasons = validated.ok ? '' : validated.reasons.join('\n');
        expect(read.ok).toBe(!reasons.includes('does not exist in'));
      }),
    );
  });
});
