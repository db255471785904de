import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECENT_MILLIS, recentManifests } from '../../../functions/records/index/recent-manifests.ts';
import type { RecordType } from '../../../functions/records/schemas/schema.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createRecordIndex } from '../../support/records/record-index.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const line = (id: string) => `${JSON.stringify({ id, name: id, country: 'US' })}\n`;

it('an import is in previews after a quarter of a second, and in downloads at once', async () => {
  const records = await createRecordIndex(endpoint, 'recent');
  let now = Date.UTC(2026, 10, 26);
  let reads = 0;
  const counting = {
    current: (type: RecordType) => {
      reads += 1;
      return records.index.current(type);
    },
  };
  const recent = recentManifests(counting, () => now);
  await records.run(await records.put('businesses/a.ndjson', line('a')));
  const before = await recent.current('businesses');
  await records.run(await records.put('businesses/b.ndjson', line('b')));
  now += RECENT_MILLIS - 1;
  expect(await recent.current('businesses')).toEqual(before);
  expect((await records.index.current('businesses')).version).toBeGreaterThan(before.version);
  expect(reads).toBe(1);
  now += 1;
  expect(await recent.current('businesses')).toEqual(await records.index.current('businesses'));
  expect(reads).toBe(2);
});

it('the manifest of one type is never shown for another, and a failed read is not remembered', async () => {
  const manifests = { businesses: { version: 1, segments: [] }, products: { version: 2, segments: [] } };
  let fails = true;
  const recent = recentManifests(
    {
      current: async (type) => {
        if (fails) throw new Error('The table does not answer.');
        return manifests[type as keyof typeof manifests];
      },
    },
    () => 0,
  );
  await expect(recent.current('businesses')).rejects.toThrow('does not answer');
  fails = false;
  expect(await recent.current('businesses')).toEqual(manifests.businesses);
  expect(await recent.current('products')).toEqual(manifests.products);
});
