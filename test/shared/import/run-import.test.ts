import { ReadableStream } from 'node:stream/web';
import { describe, expect, it } from 'vitest';
import { type ImportJob, type ImportJobs, newImportJob } from '../../../shared/import/import-job.ts';
import type { ImportFiles } from '../../../shared/import/import-source.ts';
import { entriesOf } from '../../../shared/import/rows/entries.ts';
import { type ImportedKind, runImport } from '../../../shared/import/run-import.ts';

const LINES = 10_000;
const LINE_BYTES = 10;
const object = { key: 'demo/a.ndjson', etag: 'e', sequencer: '1', bytes: LINES * LINE_BYTES };

/** An import of one job that never leaves memory. Storing a part takes three seconds, reading no time at all. */
function memoryImport() {
  let clock = Date.parse('2026-01-01T00:00:00Z');
  let job: ImportJob = newImportJob(object, 'things', clock);
  const noted: { readonly bytesRead: number; readonly parts: number }[] = [];
  const jobs: ImportJobs = {
    begin: async () => job,
    reread: async () => job,
    async advance({ before, after }) {
      if (before.parts !== job.parts) return false;
      job = after;
      return true;
    },
    running: () => ({ [Symbol.asyncIterator]: () => [job].values() as never }),
    recordWake: async () => false,
    progress: async ({ parts }, { bytesRead }) => void noted.push({ bytesRead, parts }),
  };
  const files: ImportFiles = {
    async open(_object, from) {
      const lines = Array.from({ length: LINES }, (_, i) => `${100_000_000 + i}\n`);
      const bytes = Buffer.from(lines.join('')).subarray(from);
      return { chunks: ReadableStream.from([bytes]), bytesRead: ({ byte }) => byte };
    },
    importMap: async () => undefined,
    putReport: async () => undefined,
  };
  const stored: unknown[] = [];
  const kind: ImportedKind<unknown> = {
    entriesOf: (chunks, { job: { checkpoint } }) =>
      entriesOf(chunks, {
        file: { name: object.key, checkpoint },
        reader: { fromJson: (item) => ({ kind: 'item', item }), fromRows: () => () => ({ kind: 'item', item: '' }) },
      }),
    newPart() {
      const items: unknown[] = [];
      return {
        add: (item) => void items.push(item),
        addDeletion: () => undefined,
        isFull: () => items.length >= 1_000,
        async commit(step) {
          clock += 3_000;
          stored.push(...items);
          return jobs.advance(step);
        },
      };
    },
    maxRejections: 10,
  };
  return { deps: { jobs, files, kind, now: () => clock }, begun: job, noted, stored };
}

describe('an import', () => {
  it('whose parts are read faster than they are stored still reports its progress', async () => {
    const { deps, begun, noted } = memoryImport();
    const job = await runImport(deps, begun, () => 900_000);
    expect(job).toMatchObject({ status: 'COMPLETED', counts: { accepted: LINES } });
    expect(noted.slice(0, 3)).toEqual([
      { bytesRead: 20_000, parts: 1 },
      { bytesRead: 30_000, parts: 2 },
      { bytesRead: 40_000, parts: 3 },
    ]);
    expect(noted.at(-1)).toEqual({ bytesRead: object.bytes, parts: 9 });
  });

  it('starts no part when its time is nearly over, and continues where it stopped', async () => {
    const { deps, begun, stored } = memoryImport();
    let remaining = 300_000 + 7_000;
    const stopped = await runImport(deps, begun, () => (remaining -= 3_000));
    expect(stopped).toMatchObject({ status: 'RUNNING', parts: 2, checkpoint: { byte: 20_000, line: 2_000 } });
    expect(await runImport(deps, stopped, () => 900_000)).toMatchObject({ status: 'COMPLETED', parts: 11 });
    expect(stored).toHaveLength(LINES);
    expect(new Set(stored).size).toBe(LINES);
  });
});
