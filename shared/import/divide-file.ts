import type { ImportJob, JobStep } from './import-job.ts';
import type { ImportFiles } from './import-source.ts';
import { type PartSize, partMeter } from './part.ts';
import { jobAt, type PartClaim } from './part-claim.ts';
import type { EntryEnd } from './rows/entries.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';

/** Divides the files of a domain, so that several workers can import one. */
export interface FileDivision {
  readonly size: PartSize;
  /** One worker imports a file of fewer bytes. */
  readonly smallFileBytes: number;
  /** Finds the ends of the entries from the checkpoint of the import on. */
  entryEnds(chunks: AsyncIterable<Uint8Array>, job: ImportJob): AsyncGenerator<EntryEnd>;
  /** Makes the step with content that was stored before its turn, as `PartContent.commit` does. */
  commitStored(content: unknown, step: JobStep, now: number): Promise<boolean>;
}

/**
 * Finds where the next part will begin, by the ends of entries alone. That is exact for every format, since the entries
 * are those that the import reads; it is wrong only if a part ends before its size is reached. Undefined if the file ends
 * before, or if a worker could not begin there without decompressing all of the file.
 */
export async function nextClaim(
  { files, division }: { files: ImportFiles; division: FileDivision },
  { job, claim }: { job: ImportJob; claim: PartClaim },
): Promise<PartClaim | undefined> {
  const { start, number, chain } = claim;
  const source = await files.openToDivide(job.object, start);
  if (!source) return undefined;
  const { members } = source;
  const meter = partMeter(start, division.size);
  let { columns } = claim;
  try {
    for await (const entry of division.entryEnds(source.chunks, jobAt(job, claim))) {
      meter.add(entry.end);
      if (entry.columns) columns = [...entry.columns];
      if (meter.isFull()) {
        const member = members?.findLast(({ byte }) => byte <= entry.end.byte);
        if (member && member.at === (start.member?.at ?? 0)) return undefined;
        return {
          number: number + 1,
          start: { ...entry.end, ...(member && { member }) },
          chain,
          ...(columns && { columns }),
        };
      }
    }
  } catch (error) {
    // The worker that reads the part reports it.
    if (!(error instanceof UnreadableFile)) throw error;
  }
  return undefined;
}
