import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { type IndexShape, indexWriteUnits, itemBytes, queryUnits, readUnits, writeUnits } from './dynamodb-units.ts';

const item = (content: object) => marshall(content);

describe('the bytes of an item', () => {
  it.each<[string, object, number]>([
    ['a text', { pk: 'abc' }, 5],
    ['a text in UTF-8', { a: 'ä' }, 3],
    ['bytes', { a: new Uint8Array(10) }, 11],
    ['a number of one digit', { a: 1 }, 3],
    ['a time in milliseconds', { a: 1_795_251_234_567 }, 9],
    ['a number with zeros at its end', { a: 2_000 }, 3],
    ['truth', { a: true }, 2],
    ['a list of two', { a: ['x', 'yz'] }, 9],
    ['a map of one', { a: { b: 'c' } }, 7],
  ])('%s', (_what, content, bytes) => {
    expect(itemBytes(item(content))).toBe(bytes);
  });
});

describe('units', () => {
  const [small, large] = [item({ pk: 'a' }), item({ pk: 'a', text: 'x'.repeat(1_500) })];

  it('are those of the larger item, before or after', () => {
    expect([writeUnits(undefined, small), writeUnits(large, small), writeUnits(small, large)]).toEqual([1, 2, 2]);
  });

  it('are charged for a missing item, too', () => {
    expect([readUnits(undefined), readUnits(large), queryUnits([])]).toEqual([1, 1, 1]);
  });

  it('of a query are rounded up once', () => {
    expect(queryUnits([large, large, large])).toBe(2);
  });
});

describe('an index', () => {
  const index: IndexShape = { name: 'Due', keys: ['due', 'nextSweepAt'], projected: ['kept'] };
  const at = (nextSweepAt: number, more = {}) => item({ pk: 'a', sk: 'b', due: 'd', nextSweepAt, ...more });
  const unitsFor = (before: object | undefined, after: object | undefined) =>
    indexWriteUnits(index, before as never, after as never);

  it('is written once when an entry comes or goes', () => {
    expect(unitsFor(undefined, at(1))).toBe(1);
    expect(unitsFor(at(1), item({ pk: 'a', sk: 'b' }))).toBe(1);
  });

  it('is written twice when a key changes', () => {
    expect(unitsFor(at(1), at(2))).toBe(2);
  });

  it('is written once when another attribute that it holds changes', () => {
    expect(unitsFor(at(1, { kept: 1 }), at(1, { kept: 2 }))).toBe(1);
  });

  it('is not written for anything that it does not hold', () => {
    expect(unitsFor(at(1, { other: 1 }), at(1, { other: 2 }))).toBe(0);
    expect(unitsFor(item({ pk: 'a', due: 'd' }), item({ pk: 'a', due: 'e' }))).toBe(0);
  });
});
