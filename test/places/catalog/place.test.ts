import { describe, expect, it } from 'vitest';
import { PlaceFields, PlaceId, presentPlace } from '../../../functions/places/catalog/place.ts';
import { NewPlace, PlaceChange, PlaceReplacement } from '../../../functions/places/catalog/place-input.ts';

const LEAST = { name: 'Bakery', latitude: 52.5, longitude: 13.4 };
const takes = (own: object) => PlaceFields.safeParse({ ...LEAST, ...own }).success;

describe('a place as its owner defines it', () => {
  it('needs a name and a position; the rest has defaults', () => {
    expect(PlaceFields.parse(LEAST)).toEqual({
      ...LEAST,
      icon: '',
      address: '',
      city: '',
      state: '',
      brand: '',
      points: 0,
      closed: false,
    });
    for (const name of ['name', 'latitude', 'longitude']) expect(takes({ [name]: undefined })).toBe(false);
    expect(takes({ venueId: 7 })).toBe(false);
  });

  it.each<[string, unknown[], unknown[]]>([
    ['name', ['x', 'x'.repeat(200)], ['', '  ', 'x'.repeat(201), 7, null]],
    [
      'icon',
      ['', 'http://a.example/i', `https://a.example/${'x'.repeat(982)}`],
      ['x', 'ftp://a.example/i', 'data:,x', `https://a.example/${'x'.repeat(983)}`],
    ],
    ['address', ['', 'x'.repeat(300)], ['x'.repeat(301)]],
    ['city', ['', 'x'.repeat(100)], ['x'.repeat(101)]],
    ['state', ['', 'x'.repeat(100)], ['x'.repeat(101)]],
    ['brand', ['', 'x'.repeat(100)], ['x'.repeat(101)]],
    ['latitude', [-90, 90, 0], [-90.001, 90.001, '7', Number.NaN, Number.POSITIVE_INFINITY]],
    ['longitude', [-180, 180], [-180.001, 180.001, null]],
    ['points', [0, 1_000_000], [-1, 1.5, 1_000_001, '7']],
    ['acceptedDistanceMeters', [1, 50_000, undefined], [0, 50_001, 1.5, null]],
    ['closed', [true, false], ['true', 1]],
  ])('has a %s within its bounds', (name, good, bad) => {
    for (const value of good) expect([value, takes({ [name]: value })]).toEqual([value, true]);
    for (const value of bad) expect([value, takes({ [name]: value })]).toEqual([value, false]);
  });

  it('is at 0 degrees if it is closer than any number that a table holds', () => {
    const at = (latitude: number, longitude: number) => {
      const place = PlaceFields.parse({ ...LEAST, latitude, longitude });
      return [place.latitude, place.longitude];
    };
    expect(at(1e-131, -1e-131)).toEqual([0, 0]);
    expect(at(5e-324, -5e-324)).toEqual([0, 0]);
    expect(at(1e-9, -1e-9)).toEqual([1e-9, -1e-9]);
    expect(PlaceChange.parse({ latitude: 1e-200 })).toEqual({ latitude: 0 });
  });

  it('has an id of 1 to 64 letters, digits, - and _', () => {
    for (const id of ['a', '_', '-', 'A-Z_09', 'x'.repeat(64)]) expect(PlaceId.safeParse(id).success).toBe(true);
    for (const id of ['', 'x'.repeat(65), 'a#b', 'a b', 'é', 'a\n', '\na', 'a/b', '.']) {
      expect([id, PlaceId.safeParse(id).success]).toEqual([id, false]);
      expect(NewPlace.safeParse({ ...LEAST, id }).success).toBe(false);
    }
    expect(NewPlace.parse(LEAST)).not.toHaveProperty('id');
  });
});

describe('a change of a place', () => {
  it('needs at least one member, and sets no defaults', () => {
    expect(PlaceChange.safeParse({}).success).toBe(false);
    expect(PlaceChange.safeParse({ id: 'x' }).success).toBe(false);
    for (const change of [{ closed: true }, { name: 'x' }, { acceptedDistanceMeters: null }]) {
      expect(PlaceChange.parse(change)).toEqual(change);
    }
    expect(PlaceChange.safeParse({ points: null }).success).toBe(false);
  });

  it('that replaces it sets all members, and removes its accepted distance if it names none', () => {
    expect(PlaceReplacement.parse(LEAST)).toEqual({ ...PlaceFields.parse(LEAST), acceptedDistanceMeters: null });
    const own = { ...LEAST, acceptedDistanceMeters: 7 };
    expect(PlaceReplacement.parse(own)).toMatchObject({ acceptedDistanceMeters: 7 });
    expect(PlaceReplacement.safeParse({ name: 'x' }).success).toBe(false);
    expect(PlaceReplacement.safeParse({ ...LEAST, acceptedDistanceMeters: null }).success).toBe(false);
  });
});

it('the management API shows a place without its tenant, and an accepted distance only if it has one', () => {
  const whole = { ...PlaceFields.parse(LEAST), id: 'p', tenant: 'acme', venueId: 7, createdAt: 'c', updatedAt: 'u' };
  const { tenant: _, ...view } = whole;
  expect(presentPlace(whole)).toStrictEqual(view);
  expect(presentPlace({ ...whole, acceptedDistanceMeters: 5 })).toStrictEqual({ ...view, acceptedDistanceMeters: 5 });
  const stored = { ...whole, version: 'secret' };
  expect(presentPlace(stored)).not.toHaveProperty('version');
});
