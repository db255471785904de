import { isoTime } from '#shared/timestamp';
import { restarted, type Validation } from '../validations/validation.ts';
import { type Executions, examiningExecution, executionName } from './execution.ts';

/** After so many executions have come to nothing, the record is decided without another. */
const RESTARTS_MAX = 5;

/** Clocks of functions and of Step Functions differ by less. */
const JUST_NOW_MILLIS = 60_000;

export interface SweepDeps {
  readonly machine: Executions;
  /** Records that should have been decided long ago, those that wait longest first. */
  readonly overdue: (now: number) => AsyncIterable<Validation>;
  /** False if the record is no longer as it was `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
}

/**
 * Looks after records whose execution has failed, was stopped or never began. Answers how many there were: each is a
 * fault of ours, or of whoever stopped it.
 */
export async function sweepValidations({ machine, overdue, change }: SweepDeps, now: number): Promise<number> {
  let overdueCount = 0;
  for await (const before of overdue(now)) {
    const startedAt = before.review === undefined ? await machine.start(...examiningExecution(before)) : undefined;
    // Its images wait in a long queue, which another alarm watches.
    if (startedAt !== undefined && startedAt < now - JUST_NOW_MILLIS) continue;
    overdueCount += 1;
    // It never began before.
    if (startedAt !== undefined) continue;
    const after = restarted(before, isoTime(now));
    // Its change starts the next execution, as that of a new record does.
    if (!(await change(after, before))) continue;
    const { tenant, id, revision, review, restarts } = after;
    if (review === undefined && restarts <= RESTARTS_MAX) continue;
    const input = { tenant, id, stage: review === undefined ? 'give-up' : 'apply' } as const;
    await machine.start(executionName(after, `${revision}-late`), input);
  }
  return overdueCount;
}
