import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse as readCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createDownloadDesk } from '../../support/records/download-desk.ts';
import { FOREIGN_FILES, importMapOf } from '../../support/records/foreign-files.ts';
import { createRecordIndex } from '../../support/records/record-index.ts';
import { proveSearch } from '../../support/records/search-proof.ts';
import { proveReadBack } from '../../support/runner/read-back.ts';

/** The folder with the public files, which are not part of the project. */
const FOLDER = process.env['RECORDS_DIR'];

/** A field of one text, to be changed in some records. */
const CHANGED = { businesses: 'city', products: 'brand', properties: 'city' } as const;

let endpoint: LocalEndpoint;
beforeAll(async () => {
  if (FOLDER === undefined) throw new Error('RECORDS_DIR must name the folder with the public files.');
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint?.close());

describe.each([...FOREIGN_FILES])('$file', (source) => {
  const { file, type } = source;
  it('is imported and downloaded completely in every view, and is searched exactly, after updates and deletions too', async () => {
    const path = join(FOLDER ?? '', file);
    expect(existsSync(path), path).toBe(true);
    const bytes = readFileSync(path);
    const [header = [], ...rows] = readCsv(gunzipSync(bytes), { bom: true });
    const map = importMapOf(source, header);
    // Without its id, a sale is distinguished from others by its whole content.
    if (type === 'properties') Object.assign(map.columns, { id: 'taxID' });

    const index = await createRecordIndex(endpoint, type);
    const key = `${type}/${file}`;
    await index.put(`${key}.map.json`, JSON.stringify(map));
    const limits = { records: 3_000, bytes: 1e9, rejections: 1_000, smallFile: 1e9 };
    const job = await index.run(await index.put(key, bytes), { type, limits });
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: rows.length, rejected: 0 } });

    const { records } = await index.search({ kind: 'all' }, type);
    expect(records).toHaveLength(rows.length);
    expect(await proveSearch(index, { type, records, queries: 1_500 })).toBeGreaterThan(300);

    const desk = await createDownloadDesk(endpoint, index, type);
    expect(await proveReadBack(desk, type, records)).toBeGreaterThanOrEqual(4 * rows.length);

    const gone = new Set(records.filter((_, i) => i % 13 === 5).map(({ id }) => id));
    const changed = records.filter((_, i) => i % 9 === 2).map((one) => ({ ...one, [CHANGED[type]]: 'Changed' }));
    const updates = [...changed, ...[...gone].map((id) => ({ id, _deleted: true }))];
    await index.run(
      await index.put(`${type}/updates.ndjson`, updates.map((one) => `${JSON.stringify(one)}\n`).join('')),
      { type, limits },
    );
    while (await index.merge(type));
    const live = (await index.search({ kind: 'all' }, type)).records;
    expect(live).toHaveLength(rows.length - gone.size);
    expect(live.filter((one) => one[CHANGED[type]] === 'Changed').length).toBe(
      changed.filter(({ id }) => !gone.has(id)).length,
    );
    expect(await proveSearch(index, { type, records: live, queries: 1_500 })).toBeGreaterThan(300);
  });
});
