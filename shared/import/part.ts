import { isoTime } from '#shared/formats/timestamp';
import type { ImportJob, JobStep } from './import-job.ts';
import type { Entry } from './rows/entry.ts';
import type { LinePosition } from './rows/lines.ts';

/** Collects the content of a part in memory, and stores it. */
export interface PartContent<Item> {
  /** @param end the start of the next entry */
  add(item: Item, end: LinePosition): void;
  addDeletion(id: string, end: LinePosition): void;
  /** It must depend only on what was added, never on time. */
  isFull(): boolean;
  /**
   * Stores the content and makes the step; false if the import has advanced. The step must not be made before
   * everything is stored. Unless both are one transaction, storing must be idempotent, because a worker may crash in
   * between.
   */
  commit(step: JobStep, now: number): Promise<boolean>;
}

/** A section of a file that is ready to be stored. */
export interface Part<Item> {
  readonly content: PartContent<Item>;
  /** The lines of the report, as JSON. */
  readonly rejections: readonly string[];
  readonly accepted: number;
  readonly deleted: number;
  readonly checkpoint: LinePosition;
  readonly columns?: readonly string[];
  /** True if the file ends with this part. */
  readonly last: boolean;
  /** The reason why the rest of the file cannot be read. */
  readonly failure?: string;
}

/**
 * Reads entries until the part is full or the file ends. The end of a part depends only on the file, never on time, so
 * that reading it again gives the same part.
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

/** The import after this part is stored. */
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
