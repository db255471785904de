import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../functions/records/query/read-query.ts';
import { presentSchema, presentSummary } from '../../../functions/records/schemas/present-schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { viewNamed } from '../../../functions/records/schemas/view.ts';

describe.each(Object.values(SCHEMAS))('the description of $type', (schema) => {
  const { fields, views } = presentSchema(schema);

  it('names fields that a query may name, each once', () => {
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
    for (const { name } of fields) expect(readQuery(`${name}:*`, schema.type), name).toMatchObject({ ok: true });
    expect(presentSummary(schema)).toEqual({ type: schema.type, name: schema.singular, fields: fields.length });
  });

  it('has all of its views, with members of its records', () => {
    expect(views.length).toBeGreaterThanOrEqual(2);
    for (const view of views) {
      expect(viewNamed(schema.type, view.name)).toBeDefined();
      for (const field of view.fields) expect(Object.keys(schema.fields)).toContain(field);
      expect(view.fields.at(-1)).toBe('id');
    }
  });
});

it('tells what a field is, and what it is part of', () => {
  const { fields } = presentSchema(SCHEMAS.products);
  expect(fields.find(({ name }) => name === 'prices.amountMin')).toEqual({
    name: 'prices.amountMin',
    type: 'number',
    list: false,
    searchable: true,
    searchedByDefault: false,
    parent: 'prices',
  });
  expect(fields.find(({ name }) => name === 'categories')).toMatchObject({ list: true, searchedByDefault: true });
});
