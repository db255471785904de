import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { onlyParameters, queryOf, repeatedParameter } from '../../shared/http/query.ts';

const PARAMETER = { type: 'string', description: 'Any text.' } as const;
const messageOf = (query: Record<string, string>, ...names: string[]) =>
  z.safeParse(onlyParameters(Object.fromEntries(names.map((name) => [name, PARAMETER]))), query).error?.issues[0]
    ?.message;

describe('a query string', () => {
  it('is read whole, or refused because a parameter appears twice', () => {
    const parameters = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(parameters, (pairs) => {
        const text = String(new URLSearchParams(pairs));
        const names = pairs.map(([name]) => name);
        const isRepeated = new Set(names).size < names.length;
        expect(repeatedParameter(text) !== undefined).toBe(isRepeated);
        if (isRepeated) expect(() => queryOf(text)).toThrow('appears twice');
        else expect(new Map(Object.entries(queryOf(text)))).toEqual(new Map(pairs));
      }),
    );
  });
});

describe('the parameters of a call', () => {
  it('may be any of the known ones, or none', () => {
    expect(messageOf({}, 'q', 'view')).toBeUndefined();
    expect(messageOf({ view: '', q: 'x' }, 'q', 'view')).toBeUndefined();
  });

  it('are refused when one is unknown, with its name and the known ones', () => {
    expect(messageOf({ q: 'x', record: '5' }, 'q', 'records')).toBe(
      'record is no parameter of this call: it has q, records',
    );
    expect(messageOf({ toString: '1' }, 'q')).toContain('toString is no parameter');
    expect(messageOf({ x: '1' })).toBe('x is no parameter of this call: it has none');
    expect(messageOf({ ['x'.repeat(5_000)]: '1' })?.length).toBeLessThan(120);
  });
});
