import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import {
  CHECK,
  INTEGER,
  LINES,
  OPTIONAL_AMOUNT,
  OPTIONAL_INTEGER,
  OPTIONAL_TEXT,
  OPTIONAL_TIME,
  TIME,
} from '../../../functions/console/resources/field-kinds.ts';
import { bodyOf, type FormField, refusedFields } from '../../../functions/console/resources/form-fields.ts';

describe('a kind of field', () => {
  it.each([
    ['a whole number', INTEGER, 12, '12'],
    ['an absent number', OPTIONAL_INTEGER, null, ''],
    ['a text', OPTIONAL_TEXT, 'a', 'a'],
    ['hundredths', OPTIONAL_AMOUNT, 25_050, '250.50'],
    ['a whole minute', TIME, '2026-09-01T07:00:00.000Z', '2026-09-01T07:00'],
    ['a last millisecond', TIME, '2026-12-01T07:59:59.999Z', '2026-12-01T07:59:59.999'],
    ['a second', TIME, '2026-12-01T07:59:59.000Z', '2026-12-01T07:59:59'],
    ['no time', OPTIONAL_TIME, null, ''],
    ['lines', LINES, ['A; B', 'C'], 'A; B\nC'],
    ['a checked box', CHECK, true, 'on'],
    ['an empty box', CHECK, false, ''],
  ])('writes %s as the text that states it', (_name, kind, value, text) => {
    expect(kind.textOf(value)).toBe(text);
    expect(kind.valueIn(text)).toEqual({ value });
  });

  it('reads thousands with commas, and times without seconds or with a space', () => {
    expect(INTEGER.valueIn('1,000')).toEqual({ value: 1_000 });
    expect(OPTIONAL_AMOUNT.valueIn('1,250.5')).toEqual({ value: 125_050 });
    expect(TIME.valueIn('2026-09-01 07:00')).toEqual({ value: '2026-09-01T07:00:00.000Z' });
  });

  it('says what to enter instead of a text that states nothing', () => {
    for (const text of ['', '1.5', 'many', '1e3'])
      expect(INTEGER.valueIn(text)).toEqual({ wrong: 'Enter a whole number' });
    expect(OPTIONAL_INTEGER.valueIn('x')).toEqual({ wrong: 'Enter a whole number, or leave empty' });
    expect(OPTIONAL_AMOUNT.valueIn('1.234')).toHaveProperty('wrong');
    for (const text of [
      '',
      '2026-02-30T07:00',
      '2026-13-01T07:00',
      '2026-01-01',
      '2026-01-01T25:00',
      '1/2/2026 7:00',
    ]) {
      expect([text, TIME.valueIn(text)]).toEqual([text, { wrong: expect.stringContaining('Enter a day and a time') }]);
    }
  });
});

describe('the body of a form', () => {
  const fields: readonly FormField[] = [
    { name: 'limit', label: 'Limit', kind: OPTIONAL_INTEGER },
    { name: 'startsAt', label: 'Starts', kind: TIME },
  ];

  it('leaves empty optional fields out of a new resource, and removes them from a stored one', () => {
    const texts = { limit: '', startsAt: '2026-09-01T07:00' };
    expect(bodyOf(fields, texts).body).toEqual({ startsAt: '2026-09-01T07:00:00.000Z' });
    expect(bodyOf(fields, texts, { ...texts, limit: '5' }).body).toEqual({ limit: null });
  });

  it('states only what was changed', () => {
    const texts = { limit: '5', startsAt: '2026-09-01T07:00' };
    expect(bodyOf(fields, texts, texts)).toEqual({ body: {}, wrong: {} });
    expect(bodyOf(fields, { ...texts, limit: 'x' }, texts).wrong).toEqual({
      limit: 'Enter a whole number, or leave empty',
    });
  });
});

it('a fault of the API is shown at its field in words, within a list with the line', () => {
  const fields: readonly FormField[] = [
    { name: 'endsAt', label: 'Ends at (UTC)', kind: TIME },
    { name: 'startsAt', label: 'Starts at (UTC)', kind: TIME },
    { name: 'country', label: 'Country', kind: OPTIONAL_TEXT },
    { name: 'products', label: 'Products', kind: LINES },
  ];
  const errors = [
    { pointer: '/products/2/upc', detail: 'must be 8 to 14 digits' },
    { pointer: '/endsAt', detail: 'must be later than startsAt' },
    { pointer: '/country', detail: 'Receipts are read of US.' },
  ];
  const failure = new ManagementFailure({ status: 400, code: 'invalid-input', detail: '', errors });
  expect(refusedFields(failure, { fields }).wrong).toEqual({
    products: 'Line 3: must be 8 to 14 digits',
    endsAt: 'Ends at must be later than Starts at',
    country: 'Receipts are read of US.',
  });
});
