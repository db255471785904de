import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DownloadTask, fillDatabase, WRITERS } from './download-peers.ts';
import { generatedBusinesses } from './generated-businesses.ts';
import { SegmentFolder } from './segment-folder.ts';

/** Two files, the first of which ends within a block of records. */
const RECORDS = 10_100;
const FEW_RECORDS = 300;

const folder = mkdtempSync(join(tmpdir(), 'download-peers-'));
const indexFolder = join(folder, 'index');
beforeAll(async () => {
  mkdirSync(indexFolder);
  const index = new SegmentFolder(indexFolder);
  for (const record of generatedBusinesses(RECORDS)) await index.add(record);
  await index.finish();
  await fillDatabase(indexFolder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The files that a writer of the bench makes, by their names. */
async function filesBy(name: keyof typeof WRITERS, task: Omit<DownloadTask, 'indexFolder' | 'filesFolder'>) {
  const filesFolder = mkdtempSync(join(folder, 'files-'));
  const writer = await WRITERS[name]({ ...task, indexFolder, filesFolder });
  await writer.write();
  await writer.close();
  return Object.fromEntries(
    readdirSync(filesFolder).map((file) => [file, readFileSync(join(filesFolder, file), 'utf8')]),
  );
}

it.each(['loop', 'sqlite'] as const)('the peer %s writes the files that the product writes', async (peer) => {
  const task = { view: 'businesses_all', format: 'json', records: RECORDS } as const;
  const files = await filesBy('product', task);
  expect(Object.values(files).map((text) => text.split('\n').length - 1)).toEqual([10_000, 100]);
  expect(await filesBy(peer, task)).toEqual(files);
});

it.each([
  { view: 'businesses_basic', format: 'json' },
  { view: 'businesses_all_nested', format: 'csv' },
  { view: 'businesses_all_reviewsFlat', format: 'csv' },
  { view: 'businesses_all', format: 'csv' },
] as const)('SQLite writes the files of $view as $format that the product writes', async (file) => {
  const task = { ...file, records: FEW_RECORDS };
  expect(await filesBy('sqlite', task)).toEqual(await filesBy('product', task));
});
