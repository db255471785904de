import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { sizeOf } from '../size.ts';
import { builtIndex, growth, killedDownload, openedIndex } from './killed-download.ts';

/**
 * Downloads an index while workers are killed, and compares every byte, the charge and the memory between files.
 * `INDEX_DIR` names the folder of an index that is there already.
 */
export async function benchDownloadKills(): Promise<void> {
  const records = sizeOf('RECORDS', 1_000_000);
  const kills = Number(process.env['KILLS'] ?? 200);
  const seed = Number(process.env['SEED'] ?? 20_261_126);
  const given = process.env['INDEX_DIR'];
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'download-kills-')));
  const endpoint = await startLocalEndpoint();
  try {
    const { storage, manifest } = given === undefined ? await builtIndex(folder, records) : await openedIndex(folder);
    const start = performance.now();
    const onFile = (files: number) => {
      if (files % 50 === 0) console.log(`${files} files, ${((performance.now() - start) / 1000).toFixed(0)} s`);
    };
    const { gc } = globalThis;
    if (!gc) throw new Error('It runs with --expose-gc.');
    const download = await killedDownload({
      endpoint,
      storage,
      manifest,
      seed,
      kills,
      collectGarbage: () => gc(),
      onFile,
    });
    await storage.close();
    const { inUse, files, charged } = download;
    console.table({
      records: download.records,
      files,
      kills: download.kills,
      'records charged': charged,
      'MB in use, least': Math.round(Math.min(...inUse)),
      'MB in use, most': Math.round(Math.max(...inUse)),
      'MB more in the second half': Math.round(growth(download)),
      seconds: Math.round((performance.now() - start) / 1000),
    });
    console.log('Every byte is what the search gives.');
  } finally {
    await endpoint.close();
    if (given === undefined) await rm(folder, { recursive: true });
  }
}
