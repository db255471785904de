import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, parsePattern } from '../../../../cdk/local/events/pattern.ts';
import { matchesWildcard, parseWildcard } from '../../../../cdk/local/events/wildcard.ts';

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
    ['a beginning whatever the case', { a: [{ prefix: { 'equals-ignore-case': 'AB' } }] }, { a: 'abc' }, true],
    ['an end', { a: [{ suffix: '.png' }] }, { a: 'x.png' }, true],
    ['another end', { a: [{ suffix: '.png' }] }, { a: 'x.jpg' }, false],
    ['text whatever the case', { a: [{ 'equals-ignore-case': 'ABC' }] }, { a: 'aBc' }, true],
    ['a wildcard', { a: [{ wildcard: 'x*/y*.png' }] }, { a: 'x1/y2.png' }, true],
    ['a range', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 5 }, true],
    ['outside a range', { a: [{ numeric: ['>', 0, '<=', 5] }] }, { a: 0 }, false],
    ['a range, not for text', { a: [{ numeric: ['>', 0] }] }, { a: '3' }, false],
    ['a number', { a: [{ numeric: ['=', 3.01e2] }] }, { a: 301 }, true],
    ['a field that is there', { a: [{ exists: true }] }, { a: null }, true],
    ['a field that is not there', { a: [{ exists: false }] }, { b: 1 }, true],
    ['a field that is there after all', { a: [{ exists: false }] }, { a: 1 }, false],
    ['anything but a value', { a: [{ 'anything-but': 'x' }] }, { a: 'y' }, true],
    ['anything but several', { a: [{ 'anything-but': ['x', 1] }] }, { a: 1 }, false],
    ['anything but needs a field', { a: [{ 'anything-but': 'x' }] }, {}, false],
    ['anything but a beginning', { a: [{ 'anything-but': { prefix: 'x' } }] }, { a: 'xy' }, false],
    ['anything but several ends', { a: [{ 'anything-but': { suffix: ['x', 'z'] } }] }, { a: 'xy' }, true],
    ['anything but whatever the case', { a: [{ 'anything-but': { 'equals-ignore-case': ['X'] } }] }, { a: 'x' }, false],
    ['anything but a wildcard', { a: [{ 'anything-but': { wildcard: '*x*' } }] }, { a: 'axb' }, false],
    ['one alternative', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { b: 'y' }, true],
    ['no alternative', { $or: [{ a: ['x'] }, { b: ['y'] }] }, { a: 'y' }, false],
    ['an alternative and a field', { c: [1], $or: [{ a: ['x'] }, { b: ['y'] }] }, { a: 'x', c: 2 }, false],
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
    [{ a: [{ cidr: '10.0.0.0/24' }] }, 'cidr of a is not known'],
    [{ a: [{ prefix: 'x', suffix: 'y' }] }, 'a matcher that is none'],
    [{ a: [['x']] }, 'a matcher that is none'],
    [{ a: [{ prefix: 5 }] }, 'needs text'],
    [{ a: [{ exists: 'yes' }] }, 'must be true or false'],
    [{ a: [{ numeric: ['>', '0'] }] }, 'malformed'],
    [{ a: [{ numeric: [] }] }, 'malformed'],
    [{ a: [{ 'anything-but': { numeric: ['>', 0] } }] }, 'cannot be combined'],
    [{ a: [{ wildcard: 'a**b' }] }, 'two stars in a row'],
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

  it('matches exactly one of a value and anything but that value', () => {
    fc.assert(
      fc.property(scalar, scalar, (value, other) => {
        expect(fits({ a: [other] }, { a: value })).not.toBe(fits({ a: [{ 'anything-but': [other] }] }, { a: value }));
      }),
    );
  });

  it('matches a wildcard exactly when a regular expression of the same meaning does', () => {
    const pieces = fc.array(fc.constantFrom('a', 'b', '*', '\\*', '.'), { maxLength: 7 });
    fc.assert(
      fc.property(pieces, fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 9 }), (parts, text) => {
        const source = parts.join('');
        fc.pre(!source.replaceAll('\\*', '').includes('**') && !/(^|[^\\])\*\*/.test(source));
        const expression = parts.map((part) =>
          part === '*' ? '.*' : part === '\\*' ? '\\*' : part === '.' ? '\\.' : part,
        );
        expect(matchesWildcard(parseWildcard(source), text)).toBe(new RegExp(`^${expression.join('')}$`).test(text));
      }),
    );
  });

  it('is matched in linear time', () => {
    const wildcard = parseWildcard(`${'*a'.repeat(500)}*`);
    expect(matchesWildcard(wildcard, 'b'.repeat(200_000))).toBe(false);
  });
});
