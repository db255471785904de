import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { importLargeFile, LARGE_GEOJSON, MEBIBYTE } from '../../support/places/large-place-file.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

describe('a large GeoJSON file', () => {
  it('is imported in less memory than it has bytes, every place once and in order', async () => {
    const table = await createTable(endpoint, 'large');
    const { job, entries, peakBytes, isExact } = await importLargeFile(table, LARGE_GEOJSON, 32 * MEBIBYTE);
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: entries, deleted: 0, rejected: 0 } });
    expect(isExact).toBe(true);
    expect(peakBytes).toBeLessThan(24 * MEBIBYTE);
  });
});
