/** The house sales of King County as places: their real positions are as dense as people live. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse as readCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { bruteForce, pointAt, randomFrom } from '../../support/places/place-clouds.ts';

/** The folder with the public files, which are not part of the project. */
const FOLDER = process.env['RECORDS_DIR'];
const FILE = 'king-county-house-sales.csv.gz';

const folder = mkdtempSync(join(tmpdir(), 'house-sales-'));
let service: RunningService;
beforeAll(async () => {
  if (FOLDER === undefined) throw new Error('RECORDS_DIR must name the folder with the public files.');
  service = await startService();
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('are imported whole, and every list of them is that of a comparison with every house', async () => {
  const file = join(FOLDER ?? '', FILE);
  const rows: Record<string, string>[] = readCsv(gunzipSync(readFileSync(file)), { columns: true, bom: true });
  const map = {
    columns: Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, FIELDS[name] ?? null])),
    constants: { name: 'House', city: 'King County', state: 'WA' },
  };
  const mapFile = join(folder, 'map.json');
  writeFileSync(mapFile, JSON.stringify(map));
  const done = await service.run('cdk/import.command.ts', '--type', 'places', '--map', mapFile, file);
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toContain(`${rows.length} places imported`);

  // A house that was sold twice is one place.
  const houses = [
    ...new Map(
      rows.map(({ id = '', lat, long }) => [id, { id, latitude: Number(lat), longitude: Number(long) }]),
    ).values(),
  ];
  const random = randomFrom(7);
  const authorization = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;
  for (let n = 0; n < 300; n += 1) {
    const near = houses[Math.floor(random() * houses.length)]!;
    const area = {
      centre: pointAt(near, 3_000 * random() ** 2, random() * 2 * Math.PI),
      radiusMeters: Math.round(50 * 1_000 ** random()),
      limit: 1 + Math.floor(random() * 100),
    };
    const { latitude, longitude } = area.centre;
    const location = { latitude, longitude, radius: area.radiusMeters, limit: area.limit };
    const query = `location=${encodeURIComponent(JSON.stringify(location))}`;
    const answer = await service.call(`/priv/v1/apps/demo-app/places?${query}`, { headers: { authorization } });
    expect(answer.json.places.map(({ id }: { id: string }) => id)).toEqual(
      bruteForce(houses, area).map(({ place }) => place.id),
    );
  }
});

const FIELDS: Readonly<Record<string, string>> = { id: 'id', lat: 'latitude', long: 'longitude' };
