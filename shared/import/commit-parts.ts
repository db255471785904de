import { isoTime } from '#shared/formats/timestamp';
import type { ImportJob, JobStep } from './import-job.ts';
import type { ImportDeps } from './imported-kind.ts';
import { jobAfter } from './part.ts';
import { firstClaim } from './part-claim.ts';
import type { WaitingPart, WaitingParts } from './waiting-part.ts';

/** Makes the parts that have waited for their turn visible, one after the other, until one is missing. */
export async function commitWaiting<Item>(
  deps: ImportDeps<Item>,
  waiting: WaitingParts,
  begun: ImportJob,
): Promise<ImportJob> {
  let job = begun;
  while (job.status === 'RUNNING') {
    const part = await waiting.get(job, firstClaim(job), deps.now());
    if (!part) return job;
    const step = stepOf(job, part, deps.now());
    job = (await commit(deps, step, part)) ? step.after : await deps.jobs.reread(job);
  }
  return job;
}

function stepOf(before: ImportJob, part: WaitingPart, now: number): JobStep {
  const after =
    'unreadable' in part
      ? jobFailed(before, part.unreadable, now)
      : jobAfter(before, part.outcome, { now, ...(part.report !== undefined && { report: part.report }) });
  return { before, after };
}

function commit<Item>({ jobs, kind, now }: ImportDeps<Item>, step: JobStep, part: WaitingPart): Promise<boolean> {
  if ('unreadable' in part || part.content === undefined) return jobs.advance(step);
  if (!kind.division) throw new Error('Files of this kind are not divided.');
  return kind.division.commitStored(part.content, step, now());
}

/** The import after reading has failed. */
export const jobFailed = (job: ImportJob, error: string, now: number): ImportJob => ({
  ...job,
  status: 'FAILED',
  error,
  updatedAt: isoTime(now),
});
