import { isoTime } from '#shared/timestamp';
import type { RecordSchema } from '../schemas/schema.ts';
import { SegmentBuilder } from '../segments/build/segment-builder.ts';
import type { ImportJob } from './import-job.ts';
import type { Entry } from './rows/entry.ts';
import type { LinePosition } from './rows/lines.ts';

/** The size at which a part is full. All of it is held in memory until it is in the index. */
export interface PartLimits {
  readonly records: number;
  /** Bytes of JSON text. */
  readonly bytes: number;
  readonly rejections: number;
}

export const PART_LIMITS: PartLimits = { records: 250_000, bytes: 256 * 1024 * 1024, rejections: 100_000 };

/** A stretch of a file, ready to go into the index as one segment. */
export interface Part {
  readonly builder: SegmentBuilder;
  /** Whether the part holds anything for the index. */
  readonly changesIndex: boolean;
  /** Lines of the report, as JSON. */
  readonly rejections: readonly string[];
  readonly accepted: number;
  readonly deleted: number;
  readonly checkpoint: LinePosition;
  readonly columns?: readonly string[];
  /** The file ends with this part. */
  readonly last: boolean;
}

/**
 * Reads entries until the part is full or the file ends. Where a part ends depends on the file alone, never on time, so
 * that reading a part twice gives the same part.
 */
export async function readPart(
  entries: AsyncIterator<Entry>,
  { job, schema, limits }: { job: ImportJob; schema: RecordSchema; limits: PartLimits },
  onEntry: (line: number) => Promise<void> | undefined,
): Promise<Part> {
  const builder = new SegmentBuilder(schema);
  const rejections: string[] = [];
  let { checkpoint, columns } = job;
  let accepted = 0;
  let deleted = 0;
  let last = false;

  while (
    accepted + deleted < limits.records &&
    builder.estimatedBytes < limits.bytes &&
    rejections.length < limits.rejections
  ) {
    const next = await entries.next();
    if (next.done) {
      last = true;
      break;
    }
    const entry = next.value;
    checkpoint = entry.end;
    switch (entry.kind) {
      case 'record':
        builder.add(entry.record);
        accepted += 1;
        break;
      case 'deletion':
        builder.addDeletion(entry.id);
        deleted += 1;
        break;
      case 'rejected':
        rejections.push(JSON.stringify({ line: entry.line, reason: entry.reason }));
        break;
      case 'columns':
        columns = entry.columns;
        break;
      case 'blank':
        break;
    }
    const pause = onEntry(entry.line);
    if (pause) await pause;
  }
  const changesIndex = accepted + deleted > 0;
  return { builder, changesIndex, rejections, accepted, deleted, checkpoint, ...(columns && { columns }), last };
}

/** The job once this part is in. */
export function jobAfter(job: ImportJob, part: Part, { report, now }: { report?: string; now: number }): ImportJob {
  const { accepted, deleted, rejected } = job.counts;
  return {
    ...job,
    status: part.last ? 'COMPLETED' : 'RUNNING',
    parts: job.parts + 1,
    checkpoint: part.checkpoint,
    ...(part.columns && { columns: part.columns }),
    counts: {
      accepted: accepted + part.accepted,
      deleted: deleted + part.deleted,
      rejected: rejected + part.rejections.length,
    },
    reports: report === undefined ? job.reports : [...job.reports, report],
    updatedAt: isoTime(now),
  };
}
