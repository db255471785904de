import * as z from 'zod';
import type { ImportJob } from './import-job.ts';

/** A place in a file: where a part of it starts or ends. */
export const Position = z.object({
  byte: z.number(),
  line: z.number(),
  elements: z.number().optional(),
  member: z.object({ at: z.number(), byte: z.number() }).optional(),
});

/** The part of an import that a message is for: the worker with the message reads the part. */
export const PartClaim = z.object({
  /** The number of parts before it. */
  number: z.number().int().min(0),
  start: Position,
  columns: z.array(z.string()).optional(),
  /** Claims that follow from the same start or waking of an import have the time of it. */
  chain: z.string(),
});
export type PartClaim = z.output<typeof PartClaim>;

/** The first part that is not stored. */
export const firstClaim = (job: ImportJob, chain = job.wokenAt ?? job.startedAt): PartClaim => ({
  number: job.parts,
  start: job.checkpoint,
  ...(job.columns && { columns: [...job.columns] }),
  chain,
});

/** The import as it will be when the turn comes to the claimed part, but for its counts and reports. */
export const jobAt = (job: ImportJob, { number, start, columns }: PartClaim): ImportJob => ({
  ...job,
  parts: number,
  checkpoint: start,
  ...(columns && { columns }),
});

/** True if the parts before the claimed one are stored and end where it starts. */
export const isTurnOf = (job: ImportJob, { number, start }: PartClaim): boolean =>
  job.status === 'RUNNING' && job.parts === number && job.checkpoint.byte === start.byte;

/** True if the claimed part is stored, or will never be: the file was divided otherwise, or the import has ended. */
export const isObsolete = (job: ImportJob, claim: PartClaim): boolean =>
  job.status !== 'RUNNING' || job.parts > claim.number || (job.parts === claim.number && !isTurnOf(job, claim));
