import { isoTime } from '#shared/formats/timestamp';
import type { ImportJob, JobStep } from './import-job.ts';
import type { Entry, Source } from './rows/entry.ts';
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
  /**
   * Stores the content without making it visible, and returns where it is, as JSON. Only of kinds whose files are
   * divided.
   */
  store?(): Promise<unknown>;
}

/** The changes of an import by one part. */
export interface PartOutcome {
  readonly accepted: number;
  readonly deleted: number;
  readonly rejected: number;
  readonly checkpoint: LinePosition;
  readonly columns?: readonly string[] | undefined;
  /** True if the file ends with this part. */
  readonly last: boolean;
  /** The reason why the rest of the file cannot be read. */
  readonly failure?: string | undefined;
}

/** A section of a file that is ready to be stored. */
export interface Part<Item> {
  readonly content: PartContent<Item>;
  /** The lines of the report, as JSON. */
  readonly rejections: readonly string[];
  readonly outcome: PartOutcome;
}

/** A size at which a part ends. It can be measured without understanding the entries, whatever becomes of them. */
export interface PartSize {
  readonly entries: number;
  /** Bytes of the uncompressed file. */
  readonly bytes: number;
}

const UNLIMITED: PartSize = { entries: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Measures a part that begins at a position. */
export function partMeter(start: LinePosition, size: PartSize = UNLIMITED) {
  let entries = 0;
  let { byte } = start;
  return {
    add(end: LinePosition): void {
      entries += 1;
      byte = end.byte;
    },
    isFull: () => entries >= size.entries || byte - start.byte >= size.bytes,
  };
}

interface PartReading<Item> {
  /** The import at the start of the part. */
  readonly job: ImportJob;
  readonly content: PartContent<Item>;
  readonly maxRejections: number;
  /** @default unlimited */
  readonly size?: PartSize | undefined;
}

/**
 * Reads entries until the part is full or the file ends. The end of a part depends only on the file, never on time, so
 * that reading it again gives the same part.
 */
export async function readPart<Item>(
  entries: AsyncIterator<Entry<Item>>,
  { job, content, maxRejections, size }: PartReading<Item>,
  onEntry: (end: LinePosition) => Promise<void> | undefined,
): Promise<Part<Item>> {
  const rejections: string[] = [];
  let { checkpoint, columns } = job;
  let accepted = 0;
  let deleted = 0;
  let last = false;
  let sourceCharacters = 0;
  let failure: string | undefined;
  const meter = partMeter(job.checkpoint, size);

  while (!content.isFull() && !meter.isFull() && rejections.length < maxRejections) {
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
    meter.add(entry.end);
    switch (entry.kind) {
      case 'item':
        content.add(entry.item, entry.end);
        accepted += 1;
        break;
      case 'deletion':
        content.addDeletion(entry.id, entry.end);
        deleted += 1;
        break;
      case 'rejected': {
        const { line, reason } = entry;
        const source = reportedSource(entry, sourceCharacters);
        sourceCharacters += lengthOf(source);
        rejections.push(JSON.stringify({ line, reason, ...source }));
        break;
      }
      case 'columns':
        columns = entry.columns;
        break;
      case 'blank':
        break;
    }
    const pause = onEntry(entry.end);
    if (pause) await pause;
  }
  const outcome = { accepted, deleted, rejected: rejections.length, checkpoint, columns, last, failure };
  return { content, rejections, outcome };
}

/** A longer line is not in the report, and neither are the lines of a part beyond so many characters of others. */
const LINE_CHARACTERS_MAX = 16 * 1024;
const PART_CHARACTERS_MAX = 16 * 1024 * 1024;

/** The source that the report has of a rejected line. @param before the characters of the sources before it in the part */
function reportedSource({ source }: { readonly source?: Source }, before: number): Source | undefined {
  const length = lengthOf(source);
  return length <= LINE_CHARACTERS_MAX && before + length <= PART_CHARACTERS_MAX ? source : undefined;
}

function lengthOf(source: Source | undefined): number {
  if (!source) return 0;
  return 'text' in source ? source.text.length : source.cells.reduce((sum, cell) => sum + cell.length, 0);
}

/** The import after this part is stored. */
export function jobAfter(
  job: ImportJob,
  part: PartOutcome,
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
      rejected: rejected + part.rejected,
    },
    reports: report === undefined ? job.reports : [...job.reports, report],
    updatedAt: isoTime(now),
  };
}
