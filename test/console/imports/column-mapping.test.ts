import { describe, expect, it } from 'vitest';
import { mapOf, mappingIn, suggestedMapping } from '../../../functions/console/imports/column-mapping.ts';
import { Form } from '../../../functions/console/pages/form.ts';

const form = (fields: readonly (readonly [string, string])[]) =>
  new Form(new URLSearchParams(fields.map(([name, value]) => [name, value])).toString());

describe('the mapping of columns', () => {
  it('begins with the fields that their names suggest', () => {
    const mapping = suggestedMapping([
      { name: 'Title', suggestion: null },
      { name: 'lat', suggestion: 'latitude' },
    ]);
    expect(mapping.columns.map(({ fields }) => fields)).toEqual(['', 'latitude']);
    expect(mapOf(mapping)).toEqual({ columns: { Title: null, lat: 'latitude' }, constants: {} });
  });

  it('is no map if every column fills the field of its name', () => {
    expect(mapOf(suggestedMapping([{ name: 'id', suggestion: 'id' }]))).toBeUndefined();
  });

  it('is read from the form: several fields, columns that are left out, and values for every row', () => {
    const mapping = mappingIn(
      form([
        ['column', 'A'],
        ['field', ' brand , name,'],
        ['column', 'B'],
        ['field', ' '],
        ['constants', 'country = US\r\nnote=a=b\r\nnothing\r\n = x'],
      ]),
    );
    expect(mapOf(mapping)).toEqual({
      columns: { A: ['brand', 'name'], B: null },
      constants: { country: 'US', note: 'a=b' },
    });
  });
});
