import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordType } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createDownloadDesk } from '../../support/records/download-desk.ts';
import { createRecordIndex } from '../../support/records/record-index.ts';
import { proveReadBack } from '../../support/runner/read-back.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { recordOf } from '../schemas/record-arbitrary.ts';

const RECORDS = isThorough ? 300 : 100;

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

it.each(['businesses', 'products', 'properties'] as const)(
  '%s with any values read back the same from every view in both formats',
  async (type: RecordType) => {
    const index = await createRecordIndex(endpoint, type);
    const generated = fc.sample(recordOf(SCHEMAS[type]), { numRuns: RECORDS, seed: 7 });
    const lines = generated.map((record, i) => JSON.stringify({ ...record, id: `made-${i}` }));
    await index.run(await index.put(`${type}/a.ndjson`, lines.join('\n')), { type });
    const { records } = await index.search({ kind: 'all' }, type);
    expect(records).toHaveLength(RECORDS);
    const desk = await createDownloadDesk(endpoint, index, type);
    expect(await proveReadBack(desk, type, records)).toBeGreaterThanOrEqual(RECORDS * 4);
  },
);
