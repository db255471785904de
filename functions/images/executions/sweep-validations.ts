import { isoTime } from '#shared/formats/timestamp';
import { restarted, type Validation } from '../validations/validation.ts';
import { type Executions, examiningExecution, executionName } from './execution.ts';

/** The most restarts of a validation. After them it is decided as code 0. */
const RESTARTS_MAX = 5;

/** The clocks of functions and of Step Functions differ by less than this. */
const JUST_NOW_MILLIS = 60_000;

export interface SweepDeps {
  readonly machine: Executions;
  /** Iterates over overdue validations, the longest overdue first. */
  readonly overdue: (now: number) => AsyncIterable<Validation>;
  /** False if the validation has changed since `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
}

/**
 * Handles validations whose execution failed, was stopped or never started. Returns their number: each is a fault,
 * unless somebody stopped the execution on purpose.
 */
export async function sweepValidations({ machine, overdue, change }: SweepDeps, now: number): Promise<number> {
  let overdueCount = 0;
  for await (const before of overdue(now)) {
    const startedAt = before.review === undefined ? await machine.start(...examiningExecution(before)) : undefined;
    // The images wait in a long queue, which has an alarm of its own.
    if (startedAt !== undefined && startedAt < now - JUST_NOW_MILLIS) continue;
    overdueCount += 1;
    // This call has just started the execution that was missing.
    if (startedAt !== undefined) continue;
    const after = restarted(before, isoTime(now));
    // The stream starts the next execution because the item changes, as for a new validation.
    if (!(await change(after, before))) continue;
    const { tenant, id, revision, review, restarts } = after;
    if (review === undefined && restarts <= RESTARTS_MAX) continue;
    const input = { tenant, id, stage: review === undefined ? 'give-up' : 'apply' } as const;
    await machine.start(executionName(after, `${revision}-late`), input);
  }
  return overdueCount;
}
