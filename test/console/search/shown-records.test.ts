import { describe, expect, it } from 'vitest';
import {
  cut,
  fieldsOf,
  mainFieldsOf,
  titleOf,
  valueText,
  withinLimit,
} from '../../../functions/console/search/record-display.ts';

describe('the table of records', () => {
  it('has columns only for fields that at least one record fills, five at most', () => {
    const records = [
      { id: '1', name: 'A', city: '', categories: [] },
      { id: '2', name: 'B', province: 'TX' },
    ];
    expect(mainFieldsOf(records).map(({ name }) => name)).toEqual(['name', 'province']);
    const all = { name: 'a', brand: 'a', categories: 'a', address: 'a', city: 'a', province: 'a', country: 'a' };
    expect(mainFieldsOf([all])).toHaveLength(5);
    expect(mainFieldsOf([{ id: '1' }])).toEqual([]);
  });

  it('shows a list with commas and an object as JSON', () => {
    expect(valueText(['a', 1, true])).toBe('a, 1, true');
    expect(valueText({ a: [1] })).toBe('{"a":[1]}');
    expect([valueText(undefined), valueText(null), valueText(0), valueText(false)]).toEqual(['', '', '0', 'false']);
  });
});

describe('the page of a record', () => {
  it('lists values and the members of objects, without fields that are blank', () => {
    const record = {
      id: '1',
      name: '',
      websites: ['https://a.example', 'https://b.example'],
      reviews: [{ rating: 4, text: '<b>good</b>' }, { rating: 1 }],
      mixed: [{ a: 1 }, 'b'],
      features: [],
    };
    expect(fieldsOf(record)).toEqual([
      { name: 'id', kind: 'values', values: ['1'] },
      { name: 'websites', kind: 'values', values: ['https://a.example', 'https://b.example'] },
      {
        name: 'reviews',
        kind: 'objects',
        objects: [
          [
            ['rating', '4'],
            ['text', '<b>good</b>'],
          ],
          [['rating', '1']],
        ],
      },
      { name: 'mixed', kind: 'values', values: ['{"a":1}', 'b'] },
    ]);
  });

  it('is titled by the name, by the address of what has none, else by the id', () => {
    expect(titleOf({ id: '1', name: 'A', address: 'B' })).toBe('A');
    expect(titleOf({ id: '1', address: 'B' })).toBe('B');
    expect(titleOf({ id: '1' })).toBe('1');
  });
});

describe('a record that is too long for a page', () => {
  const fields = fieldsOf({ id: '12345', names: ['abcde', 'fghij'], reviews: [{ by: 'klmno', text: 'pqrst' }] });

  it('is shown as far as there is room, and the page says that there is more', () => {
    expect(withinLimit(fields, 25)).toEqual({ fields, isCut: false });
    expect(withinLimit(fields, 12)).toEqual({
      fields: [
        { name: 'id', kind: 'values', values: ['12345'] },
        { name: 'names', kind: 'values', values: ['abcde', 'f…'] },
      ],
      isCut: true,
    });
    expect(withinLimit(fields, 20)).toEqual({
      fields: [...fields.slice(0, 2), { name: 'reviews', kind: 'objects', objects: [[['by', 'klmno']]] }],
      isCut: true,
    });
  });

  it('never breaks a character in two', () => {
    expect(cut('a\u{1F600}b', 3)).toBe('a…');
    expect(cut('a\u{1F600}b', 4)).toBe('a\u{1F600}b');
    expect(cut('', 0)).toBe('');
  });
});
