import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ImportedObject, newImportJob } from '../../../shared/import/import-job.ts';
import { importStore } from '../../../shared/import/import-store.dynamodb.ts';
import { announcementOf, ObjectCreated, toImport } from '../../../shared/import/object-created.ts';
import { wakeImports } from '../../../shared/import/wake-imports.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { createRecordIndex, type RecordIndex } from '../../support/records/record-index.ts';

const MINUTE = 60_000;
let endpoint: LocalEndpoint;
let index: RecordIndex;
let names = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(async () => {
  index = await createRecordIndex(endpoint, `waking-${names++}`);
});

/** An import that a worker began and then left, its message lost. */
async function abandoned(): Promise<ImportedObject> {
  const object = await index.put(`businesses/file-${names++}.ndjson`, '{"id":"a","name":"A"}\n');
  await importStore(index.table).begin(newImportJob(object, 'businesses', Date.now()));
  return object;
}

async function wake(minutes: number, mortality = new Mortality()): Promise<ImportedObject[]> {
  const sent: ImportedObject[] = [];
  const client = mortality.bind(index.table.client);
  const jobs = importStore({ name: index.table.name, client });
  await wakeImports({ jobs, send: async (object) => void sent.push(object) }, Date.now() + minutes * MINUTE);
  return sent;
}

describe('an import', () => {
  it('without progress for five minutes is woken, then less and less often', async () => {
    const object = await abandoned();
    const woken: number[] = [];
    for (let minute = 0; minute <= 80; minute += 1) if ((await wake(minute)).length > 0) woken.push(minute);
    expect(woken).toEqual([5, 15, 35, 75]);
    expect(await wake(1_000)).toEqual([object]);
  });

  it('is finished by the waker’s message, and not woken after that', async () => {
    await abandoned();
    const [object] = await wake(6);
    const message = ObjectCreated.parse(JSON.parse(JSON.stringify(announcementOf(object!))));
    expect(toImport(message, (folder) => folder)).toEqual({ object, type: 'businesses' });
    const job = await index.run(object!);
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: 1 } });
    expect(await wake(1_000)).toEqual([]);
  });

  it('that has advanced since it was woken counts as active, and is woken only after five minutes', async () => {
    const object = await abandoned();
    expect(await wake(6)).toHaveLength(1);
    const jobs = importStore(index.table);
    const job = await jobs.reread(newImportJob(object, 'businesses', Date.now()));
    expect(job.wakeUps).toBe(1);
    await jobs.advance({ before: job, after: { ...job, updatedAt: new Date(Date.now() + 20 * MINUTE).toISOString() } });
    expect((await jobs.reread(job)).wakeUps).toBeUndefined();
    expect(await wake(24)).toEqual([]);
    expect(await wake(26)).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'is found by the next waker when one crashes %s any of its calls',
    async (when) => {
      const object = await abandoned();
      for (let call = 1; call <= 2; call += 1) {
        const died = await wake(6 + call * 100, new Mortality(call, when)).then(
          () => false,
          () => true,
        );
        expect(died, `call ${call}`).toBe(true);
        expect(await wake(50 + call * 100)).toEqual([object]);
      }
    },
  );

  it('is sent once by two wakers at the same time', async () => {
    await abandoned();
    const sent = await Promise.all([wake(6), wake(6), wake(6)]);
    expect(sent.flat()).toHaveLength(1);
  });
});
