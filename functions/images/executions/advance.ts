import type { TenantKey } from '#shared/ids';
import type { Validation } from '../validations/validation.ts';
import { type Executions, examiningExecution, executionName } from './execution.ts';

/** A change of a validation that concerns its execution. */
export type Change =
  | { readonly kind: 'complete'; readonly validation: Validation }
  /** A person or another execution has decided. The token is absent if the review was not opened yet. */
  | { readonly kind: 'decided'; readonly key: TenantKey; readonly token: string | undefined };

/** Starts or resumes the execution. It is idempotent: an execution's name works once, and a token takes one answer. */
export async function advance(machine: Executions, change: Change): Promise<void> {
  if (change.kind === 'complete') {
    await machine.start(...examiningExecution(change.validation));
    return;
  }
  const { key, token } = change;
  const goesOn = token !== undefined && (await machine.resume(token));
  // The execution has ended or has not opened the review yet. Another execution applies the stored decision.
  if (!goesOn) await machine.start(executionName(key, 'decided'), { ...key, stage: 'apply' });
}
