import { describe, expect, it } from 'vitest';
import { newImportJob } from '../../../shared/import/import-job.ts';
import { type PartContent, readPart } from '../../../shared/import/part.ts';
import type { Entry, Source } from '../../../shared/import/rows/entry.ts';

const job = newImportJob({ key: 'demo/file.ndjson', etag: 'e', sequencer: '1', bytes: 1 }, 'places', 0);
const content: PartContent<never> = {
  add: () => undefined,
  addDeletion: () => undefined,
  isFull: () => false,
  commit: async () => true,
};

/** The report of a part in which every line is rejected. */
async function reportOf(sources: readonly (Source | undefined)[]): Promise<{ line: number }[]> {
  async function* entries(): AsyncGenerator<Entry<never>> {
    for (const [index, source] of sources.entries()) {
      const line = index + 1;
      yield {
        kind: 'rejected',
        reason: 'no',
        line,
        end: { byte: line, line },
        ...(source && { source }),
      };
    }
  }
  const part = await readPart(entries(), { job, content, maxRejections: 1e6 }, () => undefined);
  return part.rejections.map((line) => JSON.parse(line));
}

describe('the report of a part', () => {
  it('has the rejected lines as the file has them', async () => {
    expect(await reportOf([{ text: '{' }, { cells: ['a', ''] }, undefined])).toEqual([
      { line: 1, reason: 'no', text: '{' },
      { line: 2, reason: 'no', cells: ['a', ''] },
      { line: 3, reason: 'no' },
    ]);
  });

  it('leaves out lines that are very long, and those after 16 MiB of others', async () => {
    const long = 'x'.repeat(16 * 1024);
    const report = await reportOf([{ cells: [long, 'y'] }, ...Array.from({ length: 1_030 }, () => ({ text: long }))]);
    expect(report.map((line) => Object.hasOwn(line, 'text') || Object.hasOwn(line, 'cells')).indexOf(true)).toBe(1);
    expect(report.filter((line) => Object.hasOwn(line, 'text'))).toHaveLength(1_024);
    expect(report).toHaveLength(1_031);
  });
});
