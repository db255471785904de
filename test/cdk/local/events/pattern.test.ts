import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, parsePattern } from '../../../../cdk/local/events/pattern.ts';

const fits = (pattern: object, event: object) => matches(parsePattern(pattern), event);

describe('an event pattern', () => {
  it.each<[string, object, object, boolean]>([
    ['a value', { a: ['x'] }, { a: 'x' }, true],
    ['another value', { a: ['x'] }, { a: 'y' }, false],
    ['one of several', { a: ['x', 'y'] }, { a: 'y' }, true],
    ['all of its fields', { a: ['x'], b: ['y'] }, { a: 'x' }, false],
    ['a number, not its text', { a: [5] }, { a: '5' }, false],
    ['the same number', { a: [5] }, { a: 5.0 }, true],
    ['null', { a: [null] }, { a: null }, true],
    ['null, not a missing field', { a: [null] }, {}, false],
    ['a boolean', { a: [true] }, { a: true }, true],
    ['nested fields', { detail: { a: { b: ['x'] } } }, { detail: { a: { b: 'x', c: 1 } } }, true],
    ['nested fields that are missing', { detail: { a: ['x'] } }, { detail: 'text' }, false],
    ['one value of a list', { a: ['x'] }, { a: ['w', 'x'] }, true],
    ['no value of a list', { a: ['x'] }, { a: [] }, false],
    ['one object of a list', { a: { b: ['x'] } }, { a: [{ b: 'w' }, { b: 'x' }] }, true],
    ['one object that has it all', { a: { b: ['x'], c: ['y'] } }, { a: [{ b: 'x' }, { c: 'y' }] }, false],
    ['a beginning', { a: [{ prefix: 'ab' }] }, { a: 'abc' }, true],
    ['a field that is there', { a: [{ exists: true }] }, { a: null }, true],
    ['a field that is not there', { a: [{ exists: false }] }, { b: 1 }, true],
    ['a field that is there after all', { a: [{ exists: false }] }, { a: 1 }, false],
    ['nothing inherited', { toString: [{ exists: false }] }, {}, true],
  ])('asks for %s', (_, pattern, event, expected) => {
    expect(fits(pattern, event)).toBe(expected);
  });

  it.each<[object | string, string]>([
    ['text', 'is an object'],
    [{}, 'names at least one field'],
    [{ a: {} }, 'names at least one field'],
    [{ a: [] }, 'is empty'],
    [{ a: 'x' }, 'must be a list or an object'],
    [{ a: [{ suffix: '.png' }] }, 'does not have the matcher suffix'],
    [{ a: [{ 'anything-but': 'x' }] }, 'does not have the matcher anything-but'],
    [{ a: [{ toString: 'x' }] }, 'does not have the matcher toString'],
    [{ $or: [{ a: ['x'] }, { b: ['y'] }] }, 'does not have $or'],
    [{ a: [{ prefix: 'x', suffix: 'y' }] }, 'a matcher that is none'],
    [{ a: [['x']] }, 'a matcher that is none'],
    [{ a: [{ prefix: 5 }] }, 'needs text'],
    [{ a: [{ exists: 'yes' }] }, 'must be true or false'],
  ])('is refused when it is none: %j', (pattern, message) => {
    expect(() => parsePattern(pattern)).toThrow(message);
  });
});

describe('every event', () => {
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

  it('matches the pattern of its own values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), scalar, { minKeys: 1 }), (event) => {
        fc.pre(!Object.keys(event).includes('$or'));
        const pattern = Object.fromEntries(Object.entries(event).map(([name, value]) => [name, [value]]));
        expect(fits({ detail: pattern }, { detail: event })).toBe(true);
      }),
    );
  });
});
