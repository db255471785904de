import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtIndex, growth, killedDownload } from '../../bench/records/killed-download.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';

const RECORDS = Number(process.env['RECORDS'] ?? 1_000_000);
const KILLS = Number(process.env['KILLS'] ?? 200);
/** A worker that kept what it had written would need 80 MB more for every ten files. */
const GROWTH_MEGABYTES_MAX = 40;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const folder = mkdtempSync(join(tmpdir(), 'killed-workers-'));
let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(async () => {
  await endpoint.close();
  rmSync(folder, { recursive: true });
});

it(`workers that are killed deliver ${RECORDS} records whole, charged once, in memory that does not grow`, async () => {
  const { storage, manifest } = await builtIndex(folder, RECORDS);
  const download = await killedDownload({
    endpoint,
    storage,
    manifest,
    seed: 20_261_126,
    kills: KILLS,
    collectGarbage,
  });
  await storage.close();
  expect(download).toMatchObject({ records: RECORDS, charged: RECORDS, files: Math.ceil(RECORDS / 10_000) });
  expect(download.kills).toBeGreaterThan(Math.min(KILLS, download.files / 4));
  expect(growth(download)).toBeLessThan(GROWTH_MEGABYTES_MAX);
});
