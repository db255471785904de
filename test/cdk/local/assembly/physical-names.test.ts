import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { physicalName, shortId, stableUuid } from '../../../../cdk/local/assembly/physical-names.ts';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '9'), minLength: 1, maxLength: 200 });
const place = fc.record({ stack: letters.map((name) => `s${name}`), logicalId: letters });

describe('the name of a resource', () => {
  it('is always the same for its place, and another one elsewhere', () => {
    const name = physicalName('table', { stack: 'service', logicalId: 'Table' });
    expect(name).toMatch(/^service-Table-[a-z0-9]{8}$/);
    expect(physicalName('table', { stack: 'service', logicalId: 'Table' })).toBe(name);
    expect(physicalName('table', { stack: 'other', logicalId: 'Table' })).not.toBe(name);
  });

  it.each([
    ['bucket', /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/],
    ['function', /^[a-zA-Z0-9-_]{1,64}$/],
    ['queue', /^[a-zA-Z0-9-_]{1,75}$/],
    ['table', /^[a-zA-Z0-9_.-]{3,255}$/],
    ['role', /^[\w+=,.@-]{1,64}$/],
  ] as const)('is one that the service takes: %s', (kind, accepted) => {
    fc.assert(
      fc.property(place, (at) => {
        expect(physicalName(kind, at)).toMatch(accepted);
      }),
    );
  });

  it('is never shared by two places', () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(one.stack !== other.stack || one.logicalId !== other.logicalId);
        expect(physicalName('bucket', one)).not.toBe(physicalName('bucket', other));
      }),
    );
  });
});

describe('an id', () => {
  it('is of letters and digits, of the wanted length, and the same for a seed', () => {
    expect(shortId('seed', 26)).toMatch(/^[a-z0-9]{26}$/);
    expect(shortId('seed', 26)).toBe(shortId('seed', 26));
    expect(stableUuid('seed')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
