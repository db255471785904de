import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import {
  importLargeFile,
  LARGE_CSV,
  LARGE_GEOJSON,
  LARGE_NDJSON,
  MEBIBYTE,
} from '../../support/places/large-place-file.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

describe.each([LARGE_GEOJSON, LARGE_CSV, LARGE_NDJSON])('a file of 200 MB like $file', (format) => {
  it('is imported in the memory that a small one takes, every place once and in order', async () => {
    const table = await createTable(endpoint, `large-${format.file.split('.')[1]}`);
    const { job, entries, peakBytes, isExact } = await importLargeFile(table, format, 200 * MEBIBYTE);
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: entries, deleted: 0, rejected: 0 } });
    expect(isExact).toBe(true);
    expect(peakBytes).toBeLessThan(24 * MEBIBYTE);
  });
});
