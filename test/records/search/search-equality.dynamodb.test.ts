import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoRecords } from '../../../functions/records/commands/demo-records.ts';
import { validateRecord } from '../../../functions/records/import/rows/validate.ts';
import type { DataRecord, RecordType } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createRecordIndex } from '../../support/records/record-index.ts';
import { proveSearch } from '../../support/records/search-proof.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const QUERIES = isThorough ? 250 : 16;
/** So many find something at least. */
const FINDING = isThorough ? 60 : 3;
const limits = { records: 90, bytes: 1e9, rejections: 10, smallFile: 1e9 };

describe.each(Object.keys(SCHEMAS) as RecordType[])('a search of %s, from text to records', (type) => {
  it('finds what looking at every record finds, after updates, deletions and a merge', async () => {
    const live = new Map(demoRecords(type).map((one) => [String(one['id']), valid(type, one)]));
    const index = await createRecordIndex(endpoint, type);
    await index.run(await index.put(`${type}/a.ndjson`, lines([...live.values()])), { type, limits });
    const ids = [...live.keys()];
    const changed = ids
      .filter((_, i) => i % 7 === 0)
      .map((id) => ({ ...live.get(id), address: `New Street ${id}`, name: 'Changed' }));
    const gone = ids.filter((_, i) => i % 11 === 3);
    const updates = [...changed.map((one) => keepKnown(type, one)), ...gone.map((id) => ({ id, _deleted: true }))];
    await index.run(await index.put(`${type}/b.ndjson`, lines(updates)), { type, limits });
    for (const one of changed) live.set(String(one.id), valid(type, keepKnown(type, one)));
    for (const id of gone) live.delete(id);

    expect((await index.index.current(type)).segments.length).toBeGreaterThan(2);
    const records = [...live.values()];
    expect(await proveSearch(index, { type, records, queries: QUERIES })).toBeGreaterThan(FINDING);
    await index.merge(type);
    expect((await index.index.current(type)).segments).toHaveLength(1);
    expect(await proveSearch(index, { type, records, queries: QUERIES })).toBeGreaterThan(FINDING);
  });
});

const lines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Properties have no name. */
const keepKnown = (type: RecordType, one: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(one).filter(([name]) => Object.hasOwn(SCHEMAS[type].fields, name)));

function valid(type: RecordType, record: unknown): DataRecord {
  const validated = validateRecord(SCHEMAS[type], record);
  if (!validated.ok) throw new Error(validated.reasons.join());
  return validated.record;
}
