import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECK_IN_STATES } from '../../../functions/places/check-in-rules/check-in-state.ts';
import { readCheckInRequest } from '../../../functions/places/check-ins/check-in-request.ts';
import { Refusal } from '../../../shared/errors.ts';

const WHOLE = { place_id: 'place-1', venue_id: 4_503_599_627_370_495, state: 'checkable', distance: 0 };
const read = (checkIn: unknown) => readCheckInRequest(JSON.stringify({ check_in: checkIn }));
const without = (name: string) => Object.fromEntries(Object.entries(WHOLE).filter(([key]) => key !== name));

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

describe('a check-in request', () => {
  it('states the place, and nothing else that counts', () => {
    expect(read(WHOLE)).toEqual({ placeId: 'place-1', venueId: 4_503_599_627_370_495 });
    expect(read({ ...WHOLE, state: 'toofar', distance: 9_999_999 })).toEqual(read(WHOLE));
    expect(read({ ...WHOLE, creative_id: 7 })).toEqual({ ...read(WHOLE), creativeId: 7 });
  });

  it('may contain unknown members, at both levels', () => {
    const body = { check_in: { ...WHOLE, user: {}, latitude: 1 }, user: { id: 'me' }, constructor: 1 };
    expect(readCheckInRequest(JSON.stringify(body))).toEqual(read(WHOLE));
    expect(
      readCheckInRequest(
        '{"__proto__":{},"check_in":{"__proto__":1,"place_id":"p","venue_id":1,"state":"toofar","distance":1}}',
      ),
    ).toEqual({ placeId: 'p', venueId: 1 });
  });

  it.each(['place_id', 'venue_id', 'state', 'distance'])('without %s lacks data', (name) => {
    for (const value of [undefined, null, ''])
      expect(codeOf(() => read({ ...WHOLE, [name]: value }))).toBe('missing_data');
    expect(codeOf(() => read(without(name)))).toBe('missing_data');
    // Not what an object inherits.
    expect(codeOf(() => readCheckInRequest(JSON.stringify({ check_in: without(name) })))).toBe('missing_data');
  });

  it.each([
    ['place_id', [7, {}, ['place-1'], true]],
    ['venue_id', ['7', 1.5, 2 ** 53, {}, true]],
    ['state', [7, {}, [], false, 'near', 'Checkable', 'checkable ']],
    ['distance', ['7', -1, -0.001, 0.5, 2 ** 53, {}, true]],
    ['creative_id', ['7', 1.5, 2 ** 53, {}, false, '']],
  ] as const)('with a %s that is none has a wrong argument', (name, values) => {
    for (const value of values) expect(codeOf(() => read({ ...WHOLE, [name]: value }))).toBe('argument_error');
  });

  it('accepts each of the eight states, a distance of any integer, and a null creative id', () => {
    for (const state of CHECK_IN_STATES) expect(codeOf(() => read({ ...WHOLE, state }))).toBeUndefined();
    for (const distance of [0, 7, 1e9]) expect(codeOf(() => read({ ...WHOLE, distance }))).toBeUndefined();
    expect(codeOf(() => read({ ...WHOLE, creative_id: null }))).toBeUndefined();
    expect(codeOf(() => read({ ...WHOLE, venue_id: -1 }))).toBeUndefined();
  });

  it('without check_in, or without a body, lacks data', () => {
    for (const body of [undefined, '', '  \n', '{}', 'null', '[]', '7', '"check_in"', '{"check_in":null}']) {
      expect([body, codeOf(() => readCheckInRequest(body))]).toEqual([body, 'missing_data']);
    }
  });

  it('that is no JSON, no object, or too long has a wrong argument', () => {
    for (const body of [
      '{',
      'check_in=1',
      '{"check_in":[]}',
      '{"check_in":7}',
      '{"check_in":"x"}',
      '{"check_in":false}',
    ]) {
      expect([body, codeOf(() => readCheckInRequest(body))]).toEqual([body, 'argument_error']);
    }
    const padded = (length: number) => JSON.stringify({ check_in: WHOLE }).padEnd(length, ' ');
    expect(codeOf(() => readCheckInRequest(padded(65_536)))).toBeUndefined();
    expect(codeOf(() => readCheckInRequest(padded(65_537)))).toBe('argument_error');
  });

  it('is read or refused with a code of the interface, whatever it is', () => {
    const member = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constant(null), fc.boolean(), fc.object());
    const members = fc.record(
      { place_id: member, venue_id: member, state: member, distance: member, creative_id: member },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      members.map((check_in) => JSON.stringify({ check_in })),
    );
    fc.assert(
      fc.property(body, (text) => {
        expect([undefined, 'missing_data', 'argument_error']).toContain(codeOf(() => readCheckInRequest(text)));
      }),
      { numRuns: 500 },
    );
  });
});
