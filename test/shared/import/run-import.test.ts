import { ReadableStream } from 'node:stream/web';
import { describe, expect, it } from 'vitest';
import { type ImportJob, type ImportJobs, newImportJob } from '../../../shared/import/import-job.ts';
import type { ImportFiles } from '../../../shared/import/import-source.ts';
import type { ImportedKind } from '../../../shared/import/imported-kind.ts';
import { entriesOf, entryEnds } from '../../../shared/import/rows/entries.ts';
import { runImport } from '../../../shared/import/run-import.ts';
import type { WaitingParts } from '../../../shared/import/waiting-part.ts';

const LINES = 10_000;
const LINE_BYTES = 10;
const object = { key: 'demo/a.ndjson', etag: 'e', sequencer: '1', bytes: LINES * LINE_BYTES };

const bytesFrom = (byte: number) => {
  const lines = Array.from({ length: LINES }, (_, i) => `${100_000_000 + i}\n`);
  return ReadableStream.from([Buffer.from(lines.join('')).subarray(byte)]);
};

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
    open: async (_object, { byte }) => ({ chunks: bytesFrom(byte), bytesRead: (end) => end.byte }),
    openToDivide: async (_object, { byte }) => ({ chunks: bytesFrom(byte) }),
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
    const { job } = await runImport(deps, begun, { remainingMillis: () => 900_000 });
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
    const { job: stopped, rest } = await runImport(deps, begun, { remainingMillis: () => (remaining -= 3_000) });
    expect(stopped).toMatchObject({ status: 'RUNNING', parts: 2, checkpoint: { byte: 20_000, line: 2_000 } });
    expect(rest).toMatchObject({ number: 2, start: stopped.checkpoint });
    const { job } = await runImport(deps, stopped, { remainingMillis: () => 900_000 });
    expect(job).toMatchObject({ status: 'COMPLETED', parts: 11 });
    expect(stored).toHaveLength(LINES);
    expect(new Set(stored).size).toBe(LINES);
  });

  it('has a part sent to another worker while a part is read, as soon as so many may be at work', async () => {
    const { deps, begun } = memoryImport();
    const events: string[] = [];
    const claim = { number: 3, start: { byte: 45_000, line: 4_500 }, chain: begun.startedAt };
    let clock = 0;
    const kind: ImportedKind<unknown> = {
      ...deps.kind,
      newPart: () => ({
        add: () => undefined,
        addDeletion: () => undefined,
        isFull: () => false,
        commit: () => Promise.reject(new Error('It is not the turn of this part.')),
        store: async () => void events.push('stored'),
      }),
      division: {
        size: { entries: 1_500, bytes: LINES * LINE_BYTES },
        smallFileBytes: 0,
        entryEnds: (chunks, { checkpoint }) => entryEnds(chunks, { name: object.key, checkpoint }),
        commitStored: () => Promise.reject(new Error('It is not the turn of this part.')),
      },
    };
    const waiting: WaitingParts = {
      put: async (_job, { number }) => void events.push(`waits ${number}`),
      get: async () => undefined,
      noteSent: async () => undefined,
      wasSent: async () => false,
    };
    await runImport(
      {
        ...deps,
        kind,
        now: () => (clock += 1_000),
        // Other workers have stored two parts meanwhile.
        jobs: { ...deps.jobs, reread: async () => ({ ...begun, parts: 2, checkpoint: { byte: 30_000, line: 3_000 } }) },
        parallel: { workers: 3, waiting, send: async (_job, { number }) => void events.push(`sent ${number}`) },
      },
      begun,
      { claim, remainingMillis: () => 900_000 },
    );
    expect(events).toEqual(['sent 4', 'stored', 'waits 3']);
  });
});
