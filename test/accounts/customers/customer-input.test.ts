import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CustomerChange, NewCustomer } from '../../../functions/accounts/customers/customer-input.ts';

const attributesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]));
/** A record whose JSON text has so many bytes. */
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
const BAD: readonly [string, object][] = [
  ['with an empty external id', { externalId: '' }],
  ['with an external id of 201 characters', { externalId: 'e'.repeat(201) }],
  ['with half a character in its external id', { externalId: 'half \ud800 of a pair' }],
  ['with a number as external id', { externalId: 7 }],
  ['with an address that is none', { email: 'nobody' }],
  ['with an empty address', { email: '' }],
  ['with an address of more than 254 characters', { email: `${'a'.repeat(250)}@example.com` }],
  ['with a list of attributes', { attributes: [] }],
  ['with an attribute null', { attributes: { a: null } }],
  ['with an object in its attributes', { attributes: { a: {} } }],
  ['with a list in its attributes', { attributes: { a: [1] } }],
  ['with 51 attributes', { attributes: attributesOf(51) }],
  ['with attributes of 10,241 bytes', { attributes: ofBytes(10_241) }],
  ['with attributes of fewer characters than bytes', { attributes: { a: 'ä'.repeat(5_200) } }],
  ['with an attribute __proto__', { attributes: JSON.parse('{"__proto__": 1}') }],
  ['with a tenant', { tenant: 'victim' }],
];

describe('a new customer', () => {
  it('may be anybody', () => {
    expect(NewCustomer.parse({})).toEqual({ attributes: {} });
  });

  it('takes up to the limits', () => {
    const most = { externalId: 'e'.repeat(200), email: 'a@example.com', attributes: attributesOf(50) };
    expect(NewCustomer.parse(most)).toEqual(most);
    expect(NewCustomer.parse({ attributes: ofBytes(10_240) })).toEqual({ attributes: ofBytes(10_240) });
  });

  it.each<[string, object]>([
    ...BAD,
    ['with an id', { id: 'cus_mine' }],
    ['with points', { availablePoints: 5 }],
    ['with an external id null', { externalId: null }],
  ])('is not one %s', (_what, input) => {
    expect(NewCustomer.safeParse(input).success).toBe(false);
  });

  it('has just the attributes that were stated', () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    const record = fc.dictionary(fc.string(), value, { maxKeys: 20 }).filter((one) => !Object.hasOwn(one, '__proto__'));
    fc.assert(
      fc.property(record, (input) => {
        const attributes: unknown = JSON.parse(JSON.stringify(input));
        expect(NewCustomer.parse({ attributes }).attributes).toEqual(attributes);
      }),
    );
  });
});

describe('a change of a customer', () => {
  it('holds what it names, and null for what it removes', () => {
    expect(CustomerChange.parse({ email: 'a@example.com' })).toEqual({ email: 'a@example.com' });
    expect(CustomerChange.parse({ externalId: null, email: null })).toEqual({ externalId: null, email: null });
  });

  it('may be an answer sent back as it was', () => {
    const readOnly = { id: 'cus_1', availablePoints: 5, createdAt: 'then', updatedAt: 'now' };
    const change = { externalId: 'e1', attributes: { a: 1 } };
    expect(CustomerChange.parse({ ...readOnly, ...change })).toEqual(change);
  });

  it.each<[string, object]>([
    ...BAD,
    ['of nothing', {}],
    ['of what cannot be changed', { id: 'cus_1' }],
    ['that takes all attributes away', { attributes: null }],
  ])('is not one %s', (_what, change) => {
    expect(CustomerChange.safeParse(change).success).toBe(false);
  });
});
