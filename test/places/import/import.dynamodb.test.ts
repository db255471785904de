import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Killed, Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { createPlaceImports, type PlaceImports } from '../../support/places/place-imports.ts';
import { deaths, few, isThorough } from '../../support/runner/thoroughness.ts';

let endpoint: LocalEndpoint;
let count = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const newImports = () => createPlaceImports(endpoint, `n${count++}`);
const limits = { places: 10, rejections: 5 };
const ndjson = (lines: readonly unknown[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
const cafes = (count: number, change = '') =>
  Array.from({ length: count }, (_, i) => ({
    id: `c${String(i).padStart(3, '0')}`,
    name: `Cafe ${i}${change}`,
    latitude: 30 + i / 100,
    longitude: -97,
  }));
const asFeature = (place: { id?: string; latitude: number; longitude: number }) => {
  const { id, latitude, longitude, ...properties } = place;
  return { type: 'Feature', id, properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } };
};
const collection = (features: readonly unknown[]) => ({
  type: 'FeatureCollection',
  name: 'cafes',
  features,
  bbox: [-98, 29, -96, 31],
});

type Job = Awaited<ReturnType<PlaceImports['run']>>;

/**
 * The visible result of an import: the places without their times and numbers, the counts, the report. Two places never
 * have one number.
 */
async function visible(imports: PlaceImports, { counts, status, reports, error }: Job) {
  const stored = [...(await imports.places()).values()];
  expect(new Set(stored.map(({ venueId }) => venueId)).size).toBe(stored.length);
  const places = stored.map(({ createdAt, updatedAt, venueId, ...place }) => place);
  return { places, counts, status, error, report: await imports.report(reports) };
}

async function imported(key: string, body: string | Uint8Array, map?: unknown) {
  const imports = await newImports();
  if (map !== undefined) await imports.put(`${key}.map.json`, JSON.stringify(map));
  return visible(imports, await imports.run(await imports.put(key, body)));
}

describe('an import of places', () => {
  it('gives the same places from every format', async () => {
    const places = cafes(25);
    const csv = ['id,name,latitude,longitude', ...places.map((one) => Object.values(one).join(','))].join('\r\n');
    const geojson = JSON.stringify(collection(places.map(asFeature)));
    const pretty = JSON.stringify(collection(places.map(asFeature)), null, 2);
    const expected = await imported('demo/a.ndjson', ndjson(places));
    expect(expected).toMatchObject({ status: 'COMPLETED', counts: { accepted: 25, deleted: 0, rejected: 0 } });
    expect(expected.places).toMatchObject(places.map((one) => ({ ...one, tenant: 'demo', closed: false })));
    for (const [key, body] of [
      ['demo/a.csv', csv],
      ['demo/a.geojson', geojson],
      ['demo/2026-01-01/x/A.GeoJSON', pretty],
      ['demo/a.geojson.gz', gzipSync(pretty)],
      ['demo/a.json', ndjson(places.map(asFeature))],
    ] as const)
      expect(await imported(key, body), key).toEqual(expected);
  });

  it('replaces by id what was there, deletes, and leaves other tenants alone', async () => {
    const imports = await newImports();
    await imports.run(await imports.put('other/a.ndjson', ndjson(cafes(2))));
    await imports.run(await imports.put('demo/a.ndjson', ndjson(cafes(4))));
    const before = await imports.places();
    const job = await imports.run(
      await imports.put(
        'demo/b.ndjson',
        ndjson([
          { ...cafes(4, ' new')[1], city: 'Austin' },
          { id: 'c002', _deleted: true },
          { id: 'absent', _deleted: true },
        ]),
      ),
    );
    expect(job.counts).toEqual({ accepted: 1, deleted: 2, rejected: 0 });
    const after = await imports.places();
    expect([...after.keys()]).toEqual(['c000', 'c001', 'c003']);
    expect(after.get('c001')).toMatchObject({ name: 'Cafe 1 new', city: 'Austin' });
    expect(after.get('c001')?.venueId).toBe(before.get('c001')?.venueId);
    expect(after.get('c003')).toEqual(before.get('c003'));
    expect([...(await imports.places('other')).keys()]).toEqual(['c000', 'c001']);
  });

  it('takes the last of two entries with the same id, within a part, across parts, and on one line', async () => {
    const [first] = cafes(1);
    const again = { ...first!, name: 'Again' };
    const ended = [...cafes(25), { ...cafes(25)[3]!, name: 'Later' }, { id: 'c024', _deleted: true }, again];
    for (const [key, body] of [
      ['demo/a.ndjson', ndjson(ended)],
      [
        'demo/a.geojson',
        JSON.stringify(collection([...cafes(25), { ...cafes(25)[3]!, name: 'Later' }, again].map(asFeature))),
      ],
    ] as const) {
      for (const options of [{ limits }, {}]) {
        const imports = await newImports();
        await imports.run(await imports.put(key, body), options);
        const places = await imports.places();
        expect([places.get('c000')?.name, places.get('c003')?.name]).toEqual(['Again', 'Later']);
        expect(places.has('c024')).toBe(key.endsWith('.geojson'));
      }
    }
  });

  it('gives a place without an id one that depends on its content alone', async () => {
    const imports = await newImports();
    const [a, b] = cafes(2).map(({ id, ...place }) => place);
    for (const key of ['demo/a.ndjson', 'demo/b.ndjson'])
      await imports.run(await imports.put(key, ndjson([a, b, { ...a, brand: '' }])));
    expect((await imports.places()).size).toBe(2);
  });

  it('reports every feature that it rejects, by line, number and reason, and keeps the rest', async () => {
    const [one, two] = cafes(2).map((place) => JSON.stringify(asFeature(place)));
    const { places, report, counts, status } = await imported(
      'demo/a.geojson',
      [
        '{"features":[',
        `${one},`,
        '{"type":"Feature","properties":{"name":"P"},"geometry":{"type":"Polygon","coordinates":[[[1,2]]]}},',
        '{"type":"Feature","properties":{"name":"N"},"geometry":null}, 5,',
        '{"type":"Feature",},',
        '{"type":"Feature","properties":{"name":"S"},"geometry":{"type":"Point","coordinates":[30,-97]}},',
        `${two}]}`,
      ].join('\n'),
    );
    expect(status).toBe('COMPLETED');
    expect(places.map(({ id }) => id)).toEqual(['c000', 'c001']);
    expect(counts).toEqual({ accepted: 2, deleted: 0, rejected: 5 });
    expect(report).toMatchObject([
      { line: 3, reason: 'feature 2: the geometry is a Polygon, but a place needs a Point' },
      { line: 4, reason: 'feature 3: the Feature has no geometry' },
      { line: 4, reason: 'feature 4: it is not a GeoJSON Feature' },
      { line: 5, reason: 'feature 5: it is not valid JSON' },
      {
        line: 6,
        reason: 'feature 6: latitude must be a number from -90 to 90, not -97; are latitude and longitude swapped?',
      },
    ]);
    expect(report.slice(1, 4).map(({ text }) => text)).toEqual([
      '{"type":"Feature","properties":{"name":"N"},"geometry":null}',
      '5',
      '{"type":"Feature",}',
    ]);
  });

  it('of polygons alone is complete and has rejected them all', async () => {
    const polygons = Array.from({ length: 12 }, (_, id) => ({
      type: 'Feature',
      id,
      properties: { name: 'P' },
      geometry: { type: 'Polygon', coordinates: [] },
    }));
    const { status, counts, places } = await imported('demo/a.geojson', JSON.stringify(collection(polygons)));
    expect({ status, counts, places }).toEqual({
      status: 'COMPLETED',
      counts: { accepted: 0, deleted: 0, rejected: 12 },
      places: [],
    });
  });

  it('reads CSV by an import map, with dirt reported by line', async () => {
    const csv =
      'Store,Title,Lat,Lng,Phone\r\n1,"St. Mary, ""Old""",30.5,-97.5,x\r\n2,Bad,north,-97.5,x\r\n3,short\r\n4,Last,31,-97,"two\nlines"\r\n';
    const map = {
      columns: { Store: 'id', Title: 'name', Lat: 'latitude', Lng: 'longitude', Phone: null },
      constants: { brand: 'Mary' },
    };
    const { places, report, counts } = await imported('demo/a.csv', csv, map);
    expect(counts).toEqual({ accepted: 2, deleted: 0, rejected: 2 });
    expect(places).toMatchObject([
      { id: '1', name: 'St. Mary, "Old"', brand: 'Mary', latitude: 30.5, longitude: -97.5 },
      { id: '4', name: 'Last', brand: 'Mary' },
    ]);
    expect(report).toEqual([
      {
        line: 3,
        reason: 'latitude must be a number from -90 to 90, not "north"',
        cells: ['2', 'Bad', 'north', '-97.5', 'x'],
      },
      { line: 4, reason: 'the row has 2 cells, the header has 5', cells: ['3', 'short'] },
    ]);
  });

  const whole = JSON.stringify(collection(cafes(25).map(asFeature)));
  it.each([
    ['demo/a.geojson', whole.slice(0, whole.indexOf('"c017"')), 'The file ends early, after 17 features.', 17],
    ['demo/a.geojson', `${whole}{`, 'there is text after the end', 25],
    ['demo/a.geojson', whole.replace('"c017"', '"c017"]'), 'after 17 features: brackets do not match', 17],
    ['demo/a.geojson', ndjson(cafes(3)), 'there is text after the end', 0],
    ['demo/a.geojson', '', 'ends early, after 0 features', 0],
    ['demo/a.geojson.gz', gzipSync(whole).subarray(0, -1), 'damaged or cut short', 25],
    ['demo/a.csv', 'name,name\n1,2\n', 'names the column "name" twice', 0],
  ])(
    'of %s that breaks keeps what comes before and fails with a clear sentence',
    async (key, body, error, remaining) => {
      for (const options of few([{ limits }], [{}])) {
        const imports = await newImports();
        const job = await imports.run(await imports.put(key, body), options);
        expect(job).toMatchObject({ status: 'FAILED', error: expect.stringContaining(error) });
        expect((await imports.places()).size).toBe(remaining);
        expect(job.counts.accepted).toBe(remaining);
      }
    },
  );

  it('with an import map that cannot be used fails, and imports nothing', async () => {
    const { status, error, places } = await imported('demo/a.ndjson', ndjson(cafes(2)), { columns: { a: 'nme' } });
    expect({ status, places }).toEqual({ status: 'FAILED', places: [] });
    expect(error).toContain('nme does not exist in place schema; did you mean name?');
  });
});

describe('an import of places that is disturbed', () => {
  const changed = cafes(12, ' again').slice(7);
  const files = {
    'demo/new.ndjson': ndjson([
      ...cafes(12),
      'broken',
      { ...cafes(12)[1]!, name: 'Replaced' },
      { id: 'c002', _deleted: true },
      ...changed,
    ]),
    'demo/new.geojson': JSON.stringify(
      collection([
        ...cafes(12).map(asFeature),
        5,
        asFeature({ ...cafes(12)[1]!, name: 'Replaced' } as never),
        { type: 'Feature', id: 'c002', properties: { _deleted: true }, geometry: null },
        ...changed.map(asFeature),
      ]),
    ),
  };

  async function before(imports: PlaceImports, key: keyof typeof files) {
    await imports.run(await imports.put('demo/old.ndjson', ndjson(cafes(6, ' old'))));
    return imports.put(key, files[key]);
  }

  it.each(Object.keys(files) as (keyof typeof files)[])(
    'ends as an undisturbed one, wherever its process dies: %s',
    async (key) => {
      const calm = await newImports();
      const calmMortality = new Mortality();
      const calmJob = await calm.run(await before(calm, key), { limits, mortality: calmMortality });
      const expected = await visible(calm, calmJob);
      expect(expected).toMatchObject({ status: 'COMPLETED', counts: { accepted: 18, deleted: 1, rejected: 1 } });
      expect(expected.places.map(({ id, name }) => `${id} ${name}`)).toEqual(
        cafes(12).flatMap(({ id, name }, i) => {
          if (i === 2) return [];
          return i === 1 ? [`${id} Replaced`] : [`${id} ${name}${i < 7 ? '' : ' again'}`];
        }),
      );
      expect(calmMortality.calls).toBeGreaterThan(20);

      // The formats differ only in where reading goes on, which is not the beginning when a part is done.
      const from = isThorough || key.endsWith('.ndjson') ? 1 : 14;
      let lives = 0;
      // Most calls write one place after the other.
      for (const mortality of deaths(from, 3)) {
        const imports = await newImports();
        const object = await before(imports, key);
        await imports.run(object, { limits, mortality }).catch(unlessKilled);
        expect(await visible(imports, await imports.run(object, { limits })), String(mortality)).toEqual(expected);
        lives += 1;
      }
      expect(lives).toBeGreaterThan(isThorough ? 2 * calmMortality.calls : 3);
      // The message comes once more although the import is done.
      const again = await calm.run(calmJob.object, { limits });
      expect(await visible(calm, again)).toEqual(expected);
    },
    120_000,
  );

  it('is done once when several workers do it at the same time', async () => {
    const calm = await newImports();
    const expected = await visible(calm, await calm.run(await before(calm, 'demo/new.ndjson'), { limits }));
    const imports = await newImports();
    const object = await before(imports, 'demo/new.ndjson');
    await Promise.all(Array.from({ length: 4 }, () => imports.run(object, { limits })));
    expect(await visible(imports, await imports.run(object, { limits }))).toEqual(expected);
  });

  it('is not undone by a worker that wakes up in its middle when others have finished it', async () => {
    const calm = await newImports();
    const expected = await visible(calm, await calm.run(await before(calm, 'demo/new.ndjson'), { limits }));
    const imports = await newImports();
    const object = await before(imports, 'demo/new.ndjson');
    const [asleep, awake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sleeper = imports.run(object, {
      limits,
      beforeWrite: () => {
        asleep.resolve();
        return awake.promise;
      },
    });
    await asleep.promise;
    expect(await visible(imports, await imports.run(object, { limits }))).toEqual(expected);
    awake.resolve();
    expect(await visible(imports, await sleeper)).toEqual(expected);
  });

  it('does not undo a later import, whichever is done first', async () => {
    const imports = await newImports();
    const older = await imports.put(
      'demo/older.ndjson',
      ndjson([...cafes(25, ' older'), { id: 'extra', _deleted: true }]),
    );
    const begun = Date.now() - 60_000;
    const dying = imports.run(older, { limits, now: begun, mortality: new Mortality(20, 'after') });
    await expect(dying).rejects.toThrow(Killed);
    const later = [...cafes(25, ' later').slice(5), { ...cafes(1)[0]!, id: 'extra' }, { id: 'c001', _deleted: true }];
    await imports.run(await imports.put('demo/later.ndjson', ndjson(later)), { now: begun + 1_000 });
    const job = await imports.run(older, { limits });
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: 25, deleted: 1 } });
    const places = await imports.places();
    expect(places.has('c001')).toBe(false);
    expect([places.get('c004')?.name, places.get('c005')?.name, places.get('c024')?.name]).toEqual([
      'Cafe 4 older',
      'Cafe 5 later',
      'Cafe 24 later',
    ]);
    expect(places.get('extra')?.name).toBe('Cafe 0');
  });

  it('of a gzip file resumes in the middle', async () => {
    const imports = await newImports();
    const object = await imports.put(
      'demo/a.geojson.gz',
      gzipSync(JSON.stringify(collection(cafes(35).map(asFeature)))),
    );
    await expect(imports.run(object, { limits, mortality: new Mortality(30, 'before') })).rejects.toThrow(Killed);
    const { counts, status } = await imports.run(object, { limits });
    expect({ counts, status }).toEqual({ counts: { accepted: 35, deleted: 0, rejected: 0 }, status: 'COMPLETED' });
    expect((await imports.places()).size).toBe(35);
  });
});
