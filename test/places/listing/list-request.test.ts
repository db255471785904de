import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readListRequest } from '../../../functions/places/listing/list-request.ts';
import { Refusal } from '../../../shared/errors.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const AT = { latitude: 52.5, longitude: 13.4 };

/** `location[name]=value`, as URLs carry it. */
const brackets = (members: Readonly<Record<string, unknown>>, others = '') =>
  Object.entries({ ...AT, ...members })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `location[${name}]=${encodeURIComponent(String(value))}`)
    .join('&') + others;
const json = (text: string, others = '') => `location=${encodeURIComponent(text)}${others}`;
const inJson = (members: object, others = '') => json(JSON.stringify({ ...AT, ...members }), others);

function refusalOf(query: string, body?: string): Refusal | undefined {
  try {
    readListRequest(query, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error;
  }
}
const codeOf = (query: string, body?: string) => refusalOf(query, body)?.code;

describe('a list request', () => {
  it('is read the same in all its forms', () => {
    const whole = { ...AT, limit: 5, radiusMeters: 700, accuracy: 12.5, filterBy: 9 };
    const members = { limit: 5, radius: 700, accuracy: 12.5 };
    expect(readListRequest(brackets(members, '&filter_by=9'))).toEqual(whole);
    const coded = brackets(members, '&filter_by=9').replaceAll('[', '%5B').replaceAll(']', '%5D');
    expect(readListRequest(coded)).toEqual(whole);
    expect(readListRequest(coded.toLowerCase())).toEqual(whole);
    expect(readListRequest(inJson(members, '&filter_by=9'))).toEqual(whole);
    expect(readListRequest(brackets({}))).toEqual(AT);
    expect(readListRequest(inJson({}))).toEqual(AT);
  });

  it('is read the same from a JSON body', () => {
    const whole = { ...AT, limit: 5, radiusMeters: 700, accuracy: 12.5, filterBy: 9 };
    const location = { ...AT, limit: 5, radius: 700, accuracy: 12.5 };
    expect(readListRequest('auth_token=t', JSON.stringify({ location, filter_by: 9 }))).toEqual(whole);
    expect(readListRequest('filter_by=9', JSON.stringify({ location }))).toEqual(whole);
    expect(readListRequest(brackets({}), JSON.stringify({ filter_by: 9 }))).toEqual({ ...AT, filterBy: 9 });
    for (const none of [undefined, '', ' \n']) expect(readListRequest(brackets({}), none)).toEqual(AT);
    for (const none of ['{}', '{"user":{"id":"x"}}']) expect(readListRequest(brackets({}), none)).toEqual(AT);
  });

  it('with a body that is no object, or holds no location that is one, has a wrong argument', () => {
    const bodies = ['{', '[]', '7', 'location=1', '{"location":null}', '{"location":[52.5,13.4]}', '{"location":"x"}'];
    for (const body of [...bodies, JSON.stringify({ location: AT, note: 'x'.repeat(65_536) })]) {
      expect([body.slice(0, 40), codeOf('', body)]).toEqual([body.slice(0, 40), 'argument_error']);
    }
    expect(codeOf('', JSON.stringify({ location: { ...AT, latitude: '52.5' } }))).toBe('argument_error');
    expect(codeOf('', JSON.stringify({ location: AT, filter_by: 'x' }))).toBe('argument_error');
    expect(codeOf('', JSON.stringify({ location: {} }))).toBe('missing_data');
  });

  it('is refused if a part of it occurs in two places, because one would be ignored', () => {
    const body = JSON.stringify({ location: AT });
    for (const [query, sent] of [
      [`${brackets({})}&${inJson({})}`, undefined],
      [inJson({}, '&location[limit]=3'), undefined],
      [brackets({}), body],
      [inJson({}), body],
      [brackets({}, '&filter_by=1'), '{"filter_by":1}'],
    ] as const) {
      expect([query, codeOf(query, sent)]).toEqual([query, 'argument_error']);
    }
  });

  it('ignores unknown members', () => {
    const unknown = '&location[city]=Berlin&location[a[b]]=1&other=1&auth_token=t&location[__proto__]=1';
    expect(readListRequest(brackets({}) + unknown)).toEqual(AT);
    expect(readListRequest(inJson({ city: 'Berlin', constructor: 1 }))).toEqual(AT);
    expect(readListRequest(json('{"__proto__":{"limit":3},"latitude":52.5,"longitude":13.4}'))).toEqual(AT);
    // limit and radius belong to the location.
    expect(readListRequest(brackets({}, '&limit=0&radius=0'))).toEqual(AT);
  });

  it('without latitude or longitude lacks data', () => {
    for (const name of ['latitude', 'longitude']) {
      for (const value of [undefined, '']) expect(codeOf(brackets({ [name]: value }))).toBe('missing_data');
      for (const value of [undefined, null, '']) expect(codeOf(inJson({ [name]: value }))).toBe('missing_data');
    }
    for (const query of ['', 'location={}', 'latitude=1&longitude=1', 'location[lat]=1&location[lng]=1']) {
      expect(codeOf(query)).toBe('missing_data');
    }
    expect(codeOf(json('{"__proto__":{"latitude":1,"longitude":1}}'))).toBe('missing_data');
  });

  it('with a location that is no object of JSON has a wrong argument', () => {
    for (const text of ['', '{', 'null', '[]', '7', '"x"', '[52.5,13.4]', '52.5,13.4']) {
      expect([text, codeOf(json(text))]).toEqual([text, 'argument_error']);
    }
  });

  it('accepts coordinates of the globe and no others', () => {
    for (const [latitude, longitude] of [
      [90, 180],
      [-90, -180],
      [0, 0],
      ['+1e1', '.5'],
      ['5.', '-0.25'],
      [' 7 ', '08'],
    ] as const) {
      const read = readListRequest(brackets({ latitude, longitude }));
      expect(read).toEqual({ latitude: Number(latitude), longitude: Number(longitude) });
    }
    const wrong = ['NaN', 'Infinity', '-Infinity', '1e400', '0x10', '1,5', '1 2', 'x', '--1', '1e', '.', '٣', '1_0'];
    for (const value of [...wrong, 90.000_001, -90.000_001]) {
      expect([value, codeOf(brackets({ latitude: value }))]).toEqual([value, 'argument_error']);
    }
    for (const value of [...wrong, 180.000_001, -180.000_001]) {
      expect([value, codeOf(brackets({ longitude: value }))]).toEqual([value, 'argument_error']);
    }
  });

  it('accepts no text for a coordinate in JSON', () => {
    for (const value of ['52.5', true, [], {}, [52.5]])
      expect(codeOf(inJson({ latitude: value }))).toBe('argument_error');
    expect(codeOf(json('{"latitude":1e400,"longitude":1}'))).toBe('argument_error');
  });

  it('suggests the other order if only that makes sense of the coordinates', () => {
    expect(refusalOf(brackets({ latitude: 139.7, longitude: 35.7 }))?.detail).toContain('swapped');
    expect(refusalOf(brackets({ latitude: 239.7 }))?.detail).not.toContain('swapped');
    expect(refusalOf(brackets({ latitude: 'x' }))?.detail).not.toContain('swapped');
    expect(refusalOf(brackets({ longitude: 181 }))?.detail).not.toContain('swapped');
  });

  it.each([
    ['limit', 'limit'],
    ['radius', 'radiusMeters'],
  ] as const)('accepts a %s of any integer above 0, and leaves its limit to the list', (name, read) => {
    for (const value of [1, 100, 101, 50_001, 1e21]) {
      expect(readListRequest(brackets({ [name]: value }))[read]).toBe(value);
      expect(readListRequest(inJson({ [name]: value }))[read]).toBe(value);
    }
    for (const value of [undefined, '']) expect(readListRequest(brackets({ [name]: value }))).toEqual(AT);
    expect(readListRequest(inJson({ [name]: null }))).toEqual(AT);
    for (const value of [0, -1, 1.5, -0, 'NaN', 'Infinity', '1e400', 'x', '0x10']) {
      expect([value, codeOf(brackets({ [name]: value }))]).toEqual([value, 'argument_error']);
    }
    for (const value of [0, -1, 1.5, true, [], {}, 'x'])
      expect(codeOf(inJson({ [name]: value }))).toBe('argument_error');
  });

  it('accepts a creative id of any integer', () => {
    for (const value of ['0', '-7', '9007199254740991', '1e3', ' 8 ']) {
      expect(readListRequest(brackets({}, `&filter_by=${value}`)).filterBy).toBe(Number(value));
    }
    for (const none of ['', '%20']) expect(readListRequest(brackets({}, `&filter_by=${none}`))).toEqual(AT);
    for (const value of ['x', '1.5', 'NaN', 'null', '[1]', '1e400']) {
      expect([value, codeOf(brackets({}, `&filter_by=${value}`))]).toEqual([value, 'argument_error']);
    }
    // It is no member of the location.
    expect(readListRequest(inJson({ filter_by: 7 }))).toEqual(AT);
    expect(readListRequest(brackets({ filter_by: 7 }))).toEqual(AT);
  });

  it('never fails for its accuracy: anything but a number of metres is left out', () => {
    for (const accuracy of [0, 0.5, 4_000]) {
      expect(readListRequest(brackets({ accuracy })).accuracy).toBe(accuracy);
      expect(readListRequest(inJson({ accuracy })).accuracy).toBe(accuracy);
    }
    expect(readListRequest(brackets({ accuracy: 40_075_017 })).accuracy).toBe(40_075_017);
    for (const accuracy of [-1, 40_075_018, '1e126', 'x', '', 'NaN', '1e400']) {
      expect(readListRequest(brackets({ accuracy }))).toEqual(AT);
    }
    for (const accuracy of [-1, '5', null, true, {}]) expect(readListRequest(inJson({ accuracy }))).toEqual(AT);
  });

  it('is read or refused with a code of the interface, whatever it is', () => {
    const value = fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String), fc.constantFrom('', 'NaN'));
    const name = fc.constantFrom(
      ...['latitude', 'longitude', 'limit', 'radius', 'accuracy'].map((member) => `location[${member}]`),
      'location',
      'filter_by',
    );
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 8 });
    const query = fc.oneof(
      fc.string(),
      fc.string({ unit: CODE_POINT }),
      pairs.map((all) => all.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`).join('&')),
      fc.json().map((text) => json(text.toWellFormed())),
      fc.object().map((members) => json(JSON.stringify({ ...AT, ...members }).toWellFormed())),
    );
    fc.assert(
      fc.property(query, (text) => {
        expect([undefined, 'missing_data', 'argument_error']).toContain(codeOf(text));
      }),
      { numRuns: 300 },
    );
  });

  it('that is read names a point of the globe and limits above 0', () => {
    const member = fc.oneof(fc.double({ min: -200, max: 200 }), fc.integer({ min: -5, max: 200 }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('latitude', 'longitude', 'limit', 'radius', 'accuracy'), member),
        (all) => {
          const query = brackets(all);
          if (refusalOf(query)) return;
          const { latitude, longitude, limit = 1, radiusMeters = 1, accuracy = 0 } = readListRequest(query);
          expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
          expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
          expect(limit > 0 && radiusMeters > 0 && accuracy >= 0).toBe(true);
        },
      ),
    );
  });
});
