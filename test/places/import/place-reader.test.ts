import { describe, expect, it } from 'vitest';
import { placeReader } from '../../../functions/places/import/place-reader.ts';

const DEFAULTS = { icon: '', address: '', city: '', state: '', brand: '', points: 0, closed: false };
const CAFE = { name: 'Café', latitude: 30.25, longitude: -97.75 };
const feature = (properties: unknown, geometry: unknown, more: object = {}) => ({
  type: 'Feature',
  properties,
  geometry,
  ...more,
});
const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates });
const reader = (map?: object) => placeReader(map && JSON.stringify(map));
const fromJson = (value: unknown, map?: object) => reader(map).fromJson(value);
const fromCsv = (header: string, row: string, map?: object) => reader(map).fromRows(header.split(','))(row.split(','));
const reasons = (outcome: ReturnType<typeof fromJson>) =>
  outcome.kind === 'rejected' ? outcome.reason.split('; ') : [];

describe('a line of JSON', () => {
  it('is a place with the id in it, as text or as a number', () => {
    expect(fromJson({ id: 'c-1', ...CAFE, icon: null, city: ' Austin ' })).toEqual({
      kind: 'item',
      item: { ...DEFAULTS, id: 'c-1', ...CAFE, city: 'Austin' },
    });
    expect(fromJson({ id: 17, ...CAFE })).toMatchObject({ item: { id: '17' } });
  });

  it('without an id gets a UUID from its content, the same for the same place only', () => {
    const idOf = (value: object) => {
      const outcome = fromJson(value);
      return outcome.kind === 'item' ? outcome.item.id : '';
    };
    expect(idOf(CAFE)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { name, ...position } = CAFE;
    expect(idOf({ id: '', ...position, brand: '', name: ` ${name}` })).toBe(idOf(CAFE));
    const others = [{ name: 'Bar' }, { city: 'Café' }, { brand: 'Café' }, { latitude: 30.26 }, { points: 1 }];
    expect(new Set([CAFE, ...others.map((other) => ({ ...CAFE, ...other }))].map(idOf)).size).toBe(6);
  });

  it('deletes by id, given as text or as a number', () => {
    expect(fromJson({ id: 'c-1', _deleted: true })).toEqual({ kind: 'deletion', id: 'c-1' });
    expect(fromJson({ id: 17, _deleted: true })).toEqual({ kind: 'deletion', id: '17' });
    for (const id of [undefined, null, '', 'a b', 1.5, {}])
      expect(fromJson({ id, _deleted: true })).toEqual({
        kind: 'rejected',
        reason: 'a deletion needs the id of a place',
      });
  });

  it('is refused with everything that is wrong', () => {
    const wrong = {
      id: 'has space',
      name: 'x'.repeat(201),
      icon: 'ftp://example.com',
      latitude: 'abc',
      longitude: [1],
      points: 1.5,
      acceptedDistanceMeters: 0,
      closed: 'perhaps',
      adress: 'Main Street',
      zq: null,
    };
    expect(reasons(fromJson(wrong))).toEqual([
      `name must be text of 1 to 200 characters, not "${'x'.repeat(40)}"`,
      'icon must be an http or https URL of at most 1000 characters, not "ftp://example.com"',
      'latitude must be a number from -90 to 90, not "abc"',
      'longitude must be a number from -180 to 180, not a list',
      'points must be a whole number from 0 to 1000000, not 1.5',
      'acceptedDistanceMeters must be a whole number from 1 to 50000, not 0',
      'closed must be true or false, not "perhaps"',
      'id is 1 to 64 letters, digits, - or _',
      'adress does not exist in place schema',
      'did you mean address?',
      'zq does not exist in place schema',
    ]);
    const unknown = ['q', 'w', 'x', 'y', 'z', 'Q', 'W', 'X', 'Y', 'Z'];
    expect(reasons(fromJson({ city: 5, ...Object.fromEntries(unknown.map((name) => [name, 1])) }))).toEqual([
      'name is missing',
      'city must be text of at most 100 characters, not 5',
      'latitude is missing',
      'longitude is missing',
      ...unknown.slice(0, 6).map((name) => `${name} does not exist in place schema`),
    ]);
  });

  it.each([
    ['a name that all objects have', { ...CAFE, constructor: 1 }, 'constructor does not exist in place schema'],
    ['a prototype', JSON.parse('{"name":"a","latitude":1,"longitude":1,"__proto__":{"id":"x"}}'), '__proto__ does not'],
    ['a list', [], 'a place must be a JSON object'],
    ['text', 'x', 'a place must be a JSON object'],
    ['nothing', null, 'a place must be a JSON object'],
    ['a whole collection', { type: 'FeatureCollection', features: [] }, 'give the file the extension .geojson'],
  ])('is refused if it contains %s', (_what, value, reason) => {
    expect(reasons(fromJson(value)).join()).toContain(reason);
  });

  it('with swapped coordinates is refused with that hint, and a merely wrong one without it', () => {
    const swapped = 'latitude must be a number from -90 to 90, not -97.75; are latitude and longitude swapped?';
    expect(fromJson({ ...CAFE, latitude: -97.75, longitude: 30.25 })).toEqual({ kind: 'rejected', reason: swapped });
    for (const position of [
      { latitude: 91, longitude: 91 },
      { latitude: 181, longitude: 5 },
      { latitude: 'abc', longitude: 5 },
      { latitude: 91 },
    ])
      expect(reasons(fromJson({ ...CAFE, longitude: undefined, ...position })).join()).not.toContain('swapped');
  });
});

describe('a row of CSV', () => {
  it('is parsed by the types of the fields', () => {
    expect(
      fromCsv(
        'id,name,latitude,longitude,points,closed,brand,acceptedDistanceMeters',
        '7, Bar 7 ,+30.5,-9.75e1,12,TRUE,1984,',
      ),
    ).toEqual({
      kind: 'item',
      item: {
        ...DEFAULTS,
        id: '7',
        name: 'Bar 7',
        latitude: 30.5,
        longitude: -97.5,
        points: 12,
        closed: true,
        brand: '1984',
      },
    });
  });

  it('keeps its text in the reason if a number or truth value was expected', () => {
    expect(reasons(fromCsv('name,latitude,longitude,closed,points', 'A,30°,0x10,yes,1e400'))).toEqual([
      'latitude must be a number from -90 to 90, not "30°"',
      'longitude must be a number from -180 to 180, not "0x10"',
      'points must be a whole number from 0 to 1000000, not "1e400"',
      'closed must be true or false, not "yes"',
    ]);
  });

  it('supports an import map: renamed, dropped, duplicated and constant columns', () => {
    const map = {
      columns: { Title: ['name', 'brand'], lat: 'latitude', lng: 'longitude', Note: null },
      constants: { state: 'TX', points: 5, brand: 'unused' },
    };
    expect(fromCsv('Title,lat,lng,Note,state', 'Cafe,30.25,-97.75,hello,', map)).toMatchObject({
      kind: 'item',
      item: { name: 'Cafe', brand: 'Cafe', latitude: 30.25, longitude: -97.75, state: 'TX', points: 5 },
    });
  });

  it('with other column names and no map is refused, even if the cells are empty', () => {
    expect(reasons(fromCsv('name,lat,lng,longitude,latitude', 'A,,,1,2'))).toEqual([
      'lat does not exist in place schema',
      'lng does not exist in place schema',
    ]);
    expect(fromCsv('nam,longitude,latitude', 'A,1,2')).toEqual({
      kind: 'rejected',
      reason: 'name is missing; nam does not exist in place schema; did you mean name?',
    });
  });

  it('with two values for one field is refused, unless one is empty', () => {
    const map = { columns: { a: 'name', b: 'name' } };
    expect(reasons(fromCsv('a,b,latitude,longitude', 'A,B,1,2', map))).toEqual([
      'name must be text of 1 to 200 characters, not a list',
    ]);
    for (const row of ['A,,1,2', ',A,1,2'])
      expect(fromCsv('a,b,latitude,longitude', row, map)).toMatchObject({ item: { name: 'A' } });
  });
});

describe('an import map', () => {
  it('that names an unknown field cannot be used', () => {
    expect(() => reader({ columns: { a: 'lattitude' } })).toThrow(
      /The import map cannot be used: .*\n {2}lattitude does not exist in place schema; did you mean latitude\?\nFields of places: name, icon,.*, id$/,
    );
    expect(() => reader({ constants: { 'name.first': 1 } })).toThrow('name.first does not exist');
  });
});

describe('a GeoJSON feature', () => {
  const fromFeature = (value: unknown, map?: object) => reader(map).fromFeature(value);

  it('is a place at its point, whatever its altitude and properties', () => {
    const expected = { kind: 'item', item: { ...DEFAULTS, id: 'c1', ...CAFE, points: 3 } };
    const properties = { name: 'Café', points: '3' };
    for (const geometry of [point(-97.75, 30.25), point(-97.75, 30.25, 149.5)]) {
      expect(fromFeature(feature(properties, geometry, { id: 'c1', bbox: [1] }))).toEqual(expected);
      expect(fromJson(feature({ ...properties, id: 'c1' }, geometry))).toEqual(expected);
    }
    expect(
      fromFeature(feature({ ...properties, latitude: 1, id: 'other' }, point(-97.75, 30.25), { id: 'c1' })),
    ).toEqual(expected);
    expect(fromFeature(feature(properties, point(-97.75, 30.25), { id: 5 }))).toMatchObject({ item: { id: '5' } });
  });

  it('has its properties renamed by the import map, and its id too', () => {
    const map = { columns: { Title: 'name', osm: 'id', id: null } };
    expect(fromFeature(feature({ Title: 'A', osm: 'n1' }, point(1, 2), { id: 'x' }), map)).toMatchObject({
      item: { id: 'n1', name: 'A' },
    });
  });

  it('deletes without a geometry', () => {
    expect(fromFeature(feature({ _deleted: true }, null, { id: 'c1' }))).toEqual({ kind: 'deletion', id: 'c1' });
  });

  it.each([
    [{ type: 'Polygon', coordinates: [] }, 'the geometry is a Polygon, but a place needs a Point'],
    [{ type: 'MultiPoint', coordinates: [[1, 2]] }, 'the geometry is a MultiPoint, but a place needs a Point'],
    [{ type: 'GeometryCollection', geometries: [] }, 'the geometry is a GeometryCollection, but a place needs a Point'],
    [null, 'the Feature has no geometry'],
    [undefined, 'the Feature has no geometry'],
    [{}, 'the geometry has no type'],
    ['Point', 'the geometry has no type'],
    [point(), 'the coordinates of a Point are [longitude, latitude]'],
    [point('1', '2'), 'the coordinates of a Point are [longitude, latitude]'],
    [{ type: 'Point', coordinates: null }, 'the coordinates of a Point are [longitude, latitude]'],
    [point([1, 2]), 'the coordinates of a Point are [longitude, latitude]'],
  ])('is refused for its geometry %j, along with everything else that is wrong', (geometry, reason) => {
    expect(reasons(fromFeature(feature({ name: 'A' }, geometry)))).toEqual([reason]);
    expect(reasons(fromFeature(feature({}, geometry)))).toEqual([reason, 'name is missing']);
  });

  it('with latitude before longitude is refused with that hint', () => {
    expect(reasons(fromFeature(feature({ name: 'A' }, point(30.25, -97.75))))[1]).toBe(
      'are latitude and longitude swapped?',
    );
  });

  it('without properties is refused like a place without members', () => {
    for (const properties of [null, undefined, [], 'x'])
      expect(reasons(fromFeature(feature(properties, point(1, 2))))).toEqual(['name is missing']);
  });

  it.each([[CAFE], [null], [5], ['x'], [[]], [point(1, 2)]])('is nothing else: %j', (value) => {
    expect(fromFeature(value)).toEqual({ kind: 'rejected', reason: 'it is not a GeoJSON Feature' });
  });
});
