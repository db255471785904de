import { expect, it } from 'vitest';
import { MEMBERS_BY_KIND } from '../../functions/conversions/normalize/known-members.ts';
import { TABLES, type Table } from '../../functions/conversions/validate/tables.ts';

/** How normalize treats what validate judges as a kind. What it leaves alone is not here. */
const NORMALIZED_AS: Readonly<Record<string, readonly string[]>> = {
  phone: ['phone'],
  email: ['email'],
  web: ['web'],
  host: ['host'],
  country: ['country'],
  postcode: ['postcode'],
  past: ['date'],
  date: ['date'],
  price: ['amount'],
  currency: ['currency'],
  gtin: ['gtin', 'trade-number'],
  isbn: ['trade-number'],
  mass: ['measure'],
  length: ['measure'],
  volume: ['measure'],
  area: ['measure', 'decimal'],
  beds: ['beds'],
  baths: ['baths'],
  rooms: ['rooms'],
};

/** Lists of addresses, which are compared as they are. */
const LEFT_ALONE = ['imageURLs', 'sourceURLs'];

const kinds = new Map(
  Object.entries(MEMBERS_BY_KIND).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

function* fieldsOf(table: Table): Generator<readonly [name: string, kind: string]> {
  for (const [name, kind] of table) {
    if (typeof kind === 'string') yield [name, kind];
    else yield* fieldsOf(kind.fields);
  }
}

it.each(Object.entries(TABLES))(
  'normalize reads every field of a %s that validate judges, as the same kind',
  (_type, table) => {
    const unlike = [...fieldsOf(table)].filter(
      ([name, kind]) =>
        NORMALIZED_AS[kind] && !LEFT_ALONE.includes(name) && !NORMALIZED_AS[kind].includes(kinds.get(name) ?? ''),
    );
    expect(unlike).toEqual([]);
  },
);
