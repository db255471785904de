import { isoTime } from '#shared/timestamp';
import type { ImportJob, JobStep } from './import-job.ts';
import type { Entry } from './rows/entry.ts';
import type { LinePosition } from './rows/lines.ts';

/** Gathers what a part of a file requests, in memory, and stores it. */
export interface PartContent<Item> {
  /** @param end where the next entry begins. */
  add(item: Item, end: LinePosition): void;
  addDeletion(id: string, end: LinePosition): void;
  /** Where a part is full must depend on what was added alone, never on time. */
  isFull(): boolean;
  /**
   * Stores all of it and makes the step; false if the import had moved on. The step must not be made before everything
   * is stored. Where both are not one transaction, storing must be idempotent: a worker may die between them.
   */
  commit(step: JobStep, now: number): Promise<boolean>;
}

/** A stretch of a file, ready to be stored. */
export interface Part<Item> {
  readonly content: PartContent<Item>;
  /** Lines of the report, as JSON. */
  readonly rejections: readonly string[];
  readonly accepted: number;
  readonly deleted: number;
  readonly checkpoint: LinePosition;
  readonly columns?: readonly string[];
  /** The file ends with this part. */
  readonly last: boolean;
  /** The rest of the file cannot be read, for this reason. */
  readonly failure?: string;
}

/**
 * Reads entries until the part is full or the file ends. Where a part ends depends on the file alone, never on time, so
 * that reading a part twice gives the same part.
 */
export async function readPart<Item>(
  entries: AsyncIterator<Entry<Item>>,
  { job, content, maxRejections }: { job: ImportJob; content: PartContent<Item>; maxRejections: number },
  onEntry: (end: LinePosition) => Promise<void> | undefined,
): Promise<Part<Item>> {
  const rejections: string[] = [];
  let { checkpoint, columns } = job;
  let accepted = 0;
  let deleted = 0;
  let last = false;
  let failure: string | undefined;

  while (!content.isFull() && rejections.length < maxRejections) {
    const next = await entries.next();
    if (next.done) {
      last = true;
      break;
    }
    const entry = next.value;
    if (entry.kind === 'unreadable') {
      failure = entry.reason;
      break;
    }
    checkpoint = entry.end;
    switch (entry.kind) {
      case 'item':
        content.add(entry.item, entry.end);
        accepted += 1;
        break;
      case 'deletion':
        content.addDeletion(entry.id, entry.end);
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
    const pause = onEntry(entry.end);
    if (pause) await pause;
  }
  const columnsRead = columns && { columns };
  return { content, rejections, accepted, deleted, checkpoint, ...columnsRead, last, ...(failure && { failure }) };
}

/** The job once this part is in. */
export function jobAfter(
  job: ImportJob,
  part: Part<unknown>,
  { report, now }: { report?: string; now: number },
): ImportJob {
  const { accepted, deleted, rejected } = job.counts;
  return {
    ...job,
    status: part.failure === undefined ? (part.last ? 'COMPLETED' : 'RUNNING') : 'FAILED',
    ...(part.failure !== undefined && { error: part.failure }),
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
