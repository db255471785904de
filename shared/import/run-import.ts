import { commitWaiting, jobFailed } from './commit-parts.ts';
import { nextClaim } from './divide-file.ts';
import type { ImportJob } from './import-job.ts';
import { type OpenImport, reportKey } from './import-source.ts';
import type { ImportDeps } from './imported-kind.ts';
import { jobAfter, type Part, type PartOutcome, readPart } from './part.ts';
import { firstClaim, isObsolete, isTurnOf, jobAt, type PartClaim } from './part-claim.ts';
import type { LinePosition } from './rows/lines.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';
import type { ParallelImport } from './waiting-part.ts';

/** Reading and storing a part takes less than this. With less time left, no part is started. */
const PART_MILLIS = 300_000;
/** The interval at which a worker reports its progress or, ahead of its turn, looks how far the import has come. */
const PROGRESS_MILLIS = 1_000;

interface Work {
  /** The part that the message is about. @default the first one that is not stored */
  readonly claim?: PartClaim | undefined;
  readonly remainingMillis: () => number;
}

/** The import after a worker has stopped. */
interface WorkResult {
  readonly job: ImportJob;
  /** The part that this worker must leave to a message, because its time is nearly up. */
  readonly rest?: PartClaim;
}

/**
 * Continues an import until it ends, other workers have the rest of it, or the time is nearly up. Any number of workers
 * may handle the same import at once, and any may crash at any point: parts become visible in the order of the file, each
 * in one step that happens once, after the part is stored.
 */
export async function runImport<Item>(deps: ImportDeps<Item>, begun: ImportJob, work: Work): Promise<WorkResult> {
  const parallel = parallelOf(deps, begun);
  const job = parallel ? await commitWaiting(deps, parallel.waiting, begun) : begun;
  const claim = work.claim ?? firstClaim(job);
  const worker = new ImportWorker({ deps, parallel, job, claim });
  if (isObsolete(job, claim)) return { job: await worker.handOn() };
  // Only workers that can store a part ahead of its turn may read it.
  if (!parallel && !isTurnOf(job, claim)) return { job };
  try {
    return await worker.run(work.remainingMillis);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { job: await worker.fail(error.message) };
  }
}

/** Returns undefined for small files, which one worker imports alone. */
function parallelOf<Item>({ parallel, kind }: ImportDeps<Item>, { object }: ImportJob): ParallelImport | undefined {
  if (!parallel || !kind.division || parallel.workers < 2) return undefined;
  return object.bytes < kind.division.smallFileBytes ? undefined : parallel;
}

/** Reads a part, and then the next ones that no other worker has. */
class ImportWorker<Item> {
  readonly #deps: ImportDeps<Item>;
  readonly #parallel: ParallelImport | undefined;
  #job: ImportJob;
  #claim: PartClaim;
  /** The claim after this worker's, for another worker. */
  #next: PartClaim | undefined;
  #isNextSent = false;

  constructor(state: {
    readonly deps: ImportDeps<Item>;
    readonly parallel: ParallelImport | undefined;
    readonly job: ImportJob;
    readonly claim: PartClaim;
  }) {
    this.#deps = state.deps;
    this.#parallel = state.parallel;
    this.#job = state.job;
    this.#claim = state.claim;
  }

  async run(remainingMillis: () => number): Promise<WorkResult> {
    const hasTime = () => remainingMillis() > PART_MILLIS;
    while (this.#job.status === 'RUNNING') {
      if (!hasTime()) return { job: this.#job, rest: this.#claim };
      if (!(await this.#readParts(hasTime))) return { job: await this.handOn() };
    }
    return { job: this.#job };
  }

  /**
   * Stores part after part from one reading of the file, until the time is up or another worker advances the import.
   * @returns false if other workers have the rest
   */
  async #readParts(hasTime: () => boolean): Promise<boolean> {
    const { files, kind } = this.#deps;
    const map = await files.importMap(this.#job.object);
    const source = await files.open(this.#job.object, this.#claim.start);
    const from = { job: jobAt(this.#job, this.#claim), ...(map !== undefined && { map }) };
    const entries = kind.entriesOf(source.chunks, from);
    const onEntry = this.#observe(source);
    try {
      do {
        await this.#findNext();
        const job = jobAt(this.#job, this.#claim);
        const size = kind.division?.size;
        const reading = { job, content: kind.newPart(job), maxRejections: kind.maxRejections, size };
        const part = await readPart(entries, reading, onEntry);
        const after = await this.#store(part);
        if (this.#job.status !== 'RUNNING') return true;
        if (after === 'left') return false;
        this.#claim = firstClaim(this.#job, this.#claim.chain);
        if (after === 'moved') return true;
      } while (hasTime());
      return true;
    } finally {
      await entries.return(undefined);
    }
  }

  /** Finds where the next part begins, and sends it to another worker when one more may run. */
  async #findNext(): Promise<void> {
    const { files, kind } = this.#deps;
    this.#isNextSent = false;
    this.#next =
      this.#parallel && kind.division
        ? await nextClaim({ files, division: kind.division }, { job: this.#job, claim: this.#claim })
        : undefined;
    await this.#sendNext();
  }

  async #sendNext(): Promise<void> {
    const next = this.#next;
    if (!this.#parallel || !next || this.#isNextSent || next.number >= this.#job.parts + this.#parallel.workers) return;
    await this.#send(this.#parallel, next);
    this.#isNextSent = true;
  }

  /** A message is sent before that is noted: so it may be sent twice, but is never missing. */
  async #send({ waiting, send }: ParallelImport, claim: PartClaim): Promise<void> {
    if (await waiting.wasSent(this.#job, claim)) return;
    await send(this.#job, claim);
    await waiting.noteSent(this.#job, claim);
  }

  /**
   * Makes a part visible if it is its turn, or has it wait.
   * @returns `continues` if this worker has the next part too, `moved` if another worker has stored the part, `left` if
   * others have the next part
   */
  async #store(part: Part<Item>): Promise<'continues' | 'moved' | 'left'> {
    const parallel = this.#parallel;
    if (!parallel) return (await this.#commit(part)) ? 'continues' : 'moved';
    const claim = this.#claim;
    const { checkpoint } = part.outcome;
    if (this.#next?.start.byte !== checkpoint.byte) this.#next = undefined;
    if (!isTurnOf(this.#job, claim)) this.#job = await this.#deps.jobs.reread(this.#job);
    if (isObsolete(this.#job, claim)) return 'left';
    if (isTurnOf(this.#job, claim)) await this.#commit(part);
    else await this.#wait(parallel, part);
    this.#job = await commitWaiting(this.#deps, parallel.waiting, this.#job);
    await this.#sendNext();
    const isFirst = this.#job.parts === claim.number + 1 && this.#job.checkpoint.byte === checkpoint.byte;
    return isFirst && !this.#next ? 'continues' : 'left';
  }

  /** Makes the part visible; false if another worker was first. */
  async #commit(part: Part<Item>): Promise<boolean> {
    const { jobs, now: clock } = this.#deps;
    const before = this.#job;
    const now = clock();
    const report = await this.#report(part);
    const step = { before, after: jobAfter(before, this.#outcomeOf(part), { now, ...(report && { report }) }) };
    const isCommitted = hasContent(part) ? await part.content.commit(step, now) : await jobs.advance(step);
    this.#job = isCommitted ? step.after : await jobs.reread(before);
    return isCommitted;
  }

  async #wait({ waiting }: ParallelImport, part: Part<Item>): Promise<void> {
    const report = await this.#report(part);
    const content = hasContent(part) ? await part.content.store?.() : undefined;
    const waitingPart = {
      outcome: this.#outcomeOf(part),
      ...(report && { report }),
      ...(content !== undefined && { content }),
    };
    await waiting.put(this.#job, this.#claim, waitingPart, this.#deps.now());
    this.#job = await this.#deps.jobs.reread(this.#job);
  }

  /** The next worker of a gzip file begins with a member. */
  #outcomeOf({ outcome }: Part<Item>): PartOutcome {
    return this.#next ? { ...outcome, checkpoint: this.#next.start } : outcome;
  }

  async #report({ rejections }: Part<Item>): Promise<string | undefined> {
    if (rejections.length === 0) return undefined;
    const key = reportKey(jobAt(this.#job, this.#claim));
    await this.#deps.files.putReport(key, rejections);
    return key;
  }

  /** Sends the first missing part to a worker, unless one has it. */
  async handOn(): Promise<ImportJob> {
    const isBehind = this.#job.parts > this.#claim.number;
    if (this.#parallel && this.#job.status === 'RUNNING' && isBehind)
      await this.#send(this.#parallel, firstClaim(this.#job, this.#claim.chain));
    return this.#job;
  }

  /** Ends the import as failed, when the parts before are visible. */
  async fail(error: string): Promise<ImportJob> {
    const { jobs, now } = this.#deps;
    const job = await jobs.reread(this.#job);
    this.#job = job;
    if (this.#parallel && job.status === 'RUNNING' && !isTurnOf(job, this.#claim)) {
      if (isObsolete(job, this.#claim)) return this.handOn();
      await this.#parallel.waiting.put(job, this.#claim, { unreadable: error }, now());
      return commitWaiting(this.#deps, this.#parallel.waiting, await jobs.reread(job));
    }
    if (job.status !== 'RUNNING') return job;
    const after = jobFailed(job, error, now());
    return (await jobs.advance({ before: job, after })) ? after : jobs.reread(job);
  }

  /**
   * Every second, across parts, because storing a part may take longer than reading it: reports the progress, or looks
   * whether the next part may be sent.
   */
  #observe(source: OpenImport) {
    const { jobs, now } = this.#deps;
    let next = now() + PROGRESS_MILLIS;
    let entries = 0;
    const report = async (end: LinePosition, at: number) => {
      if (isTurnOf(this.#job, this.#claim))
        return jobs.progress(this.#job, { bytesRead: source.bytesRead(end), lines: end.line }, at);
      this.#job = await jobs.reread(this.#job);
      await this.#sendNext();
    };
    return (end: LinePosition): Promise<void> | undefined => {
      entries += 1;
      if (entries % 1_000 !== 0) return undefined;
      const at = now();
      if (at < next) return undefined;
      next = at + PROGRESS_MILLIS;
      return report(end, at);
    };
  }
}

const hasContent = ({ outcome: { accepted, deleted } }: Part<unknown>): boolean => accepted + deleted > 0;
