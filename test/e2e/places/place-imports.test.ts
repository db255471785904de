import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'place-imports-'));
let service: RunningService;
let token: string;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  token = await service.managementToken('demo', { operator: true });
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const importing = (...args: string[]) => service.run('cdk/import.command.ts', '--type', 'places', ...args);
const places = async (query = '') => {
  const { status, json } = await service.call(`/manage/v1/loyalty/places?limit=100${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  return new Map((json.items as { id: string; name: string }[]).map((place) => [place.id, place]));
};
const feature = (id: string | number, name: string, coordinates: readonly number[]) => ({
  type: 'Feature',
  id,
  properties: { name, brand: 'Imported' },
  geometry: { type: 'Point', coordinates },
});

describe('places in files', () => {
  it('are imported by the command from GeoJSON, replaced by CSV with a map, and deleted by NDJSON', async () => {
    const features = [feature('e-1', 'One', [-97.74, 30.26, 149]), feature(2, 'Two', [-97.75, 30.27])];
    const geojson = file('a.geojson.gz', gzipSync(JSON.stringify({ type: 'FeatureCollection', features }, null, 2)));
    expect(await importing(geojson)).toEqual({
      code: 0,
      stdout: `${geojson}: 2 places imported.\n`,
      stderr: '',
    });
    const imported = await places();
    expect(imported.get('e-1')).toMatchObject({ name: 'One', latitude: 30.26, longitude: -97.74, brand: 'Imported' });
    expect(imported.get('2')).toMatchObject({ name: 'Two' });

    const map = file('map.json', JSON.stringify({ columns: { Title: 'name', lat: 'latitude', lng: 'longitude' } }));
    const csv = file('b.csv', 'id,Title,lat,lng\ne-1,One again,30.5,-97.5\n');
    expect((await importing('--map', map, csv)).stdout).toBe(`${csv}: 1 place imported.\n`);
    expect((await places()).get('e-1')).toMatchObject({ name: 'One again', latitude: 30.5, brand: '' });

    const ndjson = file('c.ndjson', '{"id":"e-1","_deleted":true}\n{"id":2,"_deleted":true}\n');
    expect((await importing(ndjson)).stdout).toBe(`${ndjson}: 0 places imported, 2 deleted.\n`);
    const left = await places();
    expect([left.has('e-1'), left.has('2')]).toEqual([false, false]);
  });

  it('are imports that their tenant can look at, with what was rejected, and no other tenant', async () => {
    const manage = (path: string, bearer = token) =>
      service.call(`/manage/v1/loyalty/imports${path}`, { headers: { authorization: `Bearer ${bearer}` } });
    const csv = file('seen.csv', 'id,name,latitude,longitude\nseen-1,A,1,2\nseen-2,B,north,2\nseen-3,C,3,4\n');
    expect((await importing('--tenant', 'looking', csv)).code).toBe(2);
    const { json } = await manage('?tenant=looking');
    expect(json).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[\w-]{20}$/),
          type: 'places',
          name: 'seen.csv',
          key: expect.stringMatching(/^looking\/.*\/seen\.csv$/),
          status: 'COMPLETED',
          lines: 4,
          imported: 2,
          deleted: 0,
          rejected: 1,
          bytes: expect.any(Number),
          bytesDone: json.items[0].bytes,
          startedAt: expect.any(String),
          updatedAt: expect.any(String),
          completedAt: json.items[0].updatedAt,
        },
      ],
    });
    const [{ id }] = json.items;
    const own = await service.managementToken('looking');
    const one = await manage(`/${id}`, own);
    expect(one.json).toMatchObject({
      ...json.items[0],
      rejections: [{ line: 3, reason: expect.stringContaining('north') }],
    });
    const [url = ''] = one.json.rejectionsUrls as string[];
    expect((await (await fetch(url)).text()).trim().split('\n')).toHaveLength(1);
    const other = await service.managementToken('other');
    expect((await manage(`/${id}`, other)).json).toMatchObject({ status: 404, code: 'not-found' });
    expect((await manage('', other)).json).toEqual({ items: [] });
  });

  it('belong to the tenant that the command names', async () => {
    const ndjson = file('d.ndjson', '{"id":"acme-1","name":"A","latitude":1,"longitude":2}\n');
    expect((await importing('--tenant', 'acme', ndjson)).code).toBe(0);
    expect((await places()).has('acme-1')).toBe(false);
    expect((await places('&tenant=acme')).has('acme-1')).toBe(true);
  });

  it('that are wrong are named by the command, and the others are imported', async () => {
    const polygon = { type: 'Feature', properties: { name: 'P' }, geometry: { type: 'Polygon', coordinates: [] } };
    const features = [polygon, feature('f-1', 'Swapped', [30.26, -97.74]), feature('f-2', 'Right', [-97.74, 30.26])];
    const geojson = file('e.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
    const { code, stdout, stderr } = await importing(geojson);
    expect(code).toBe(2);
    expect(stdout).toBe(`${geojson}: 1 place imported, 2 lines rejected.\n`);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${geojson} line 1: feature 1: the geometry is a Polygon, but a place needs a Point`,
      `${geojson} line 1: feature 2: latitude must be a number from -90 to 90, not -97.74; are latitude and longitude swapped?`,
    ]);
    expect((await places()).has('f-2')).toBe(true);
  });

  it('of a file that is cut are imported up to the cut, which the command tells', async () => {
    const features = [feature('g-1', 'One', [1, 1]), feature('g-2', 'Two', [2, 2])];
    const whole = JSON.stringify({ type: 'FeatureCollection', features });
    const geojson = file('f.geojson', whole.slice(0, whole.indexOf('"g-2"')));
    const { code, stderr } = await importing(geojson);
    expect(code).toBe(1);
    expect(stderr).toBe(`${geojson}: The file ends early, after 1 feature. 1 place imported before that.\n`);
    expect((await places()).has('g-1')).toBe(true);
  });

  it('are not uploaded by a command that is called wrongly', async () => {
    const map = file('wrong.json', JSON.stringify({ columns: { lat: 'lattitude' } }));
    const csv = file('g.csv', 'id\n1\n');
    const calls = [
      [['--tenant', 'No Tenant', csv], 'cannot be the id of a tenant'],
      [['--map', map, csv], 'lattitude does not exist in place schema; did you mean latitude?'],
    ] as const;
    for (const [args, complaint] of calls) {
      const { code, stderr } = await importing(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(complaint)]);
    }
  });
});
