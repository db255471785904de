import type { TenantKey } from '#shared/ids';
import type { Validation } from '../validations/validation.ts';
import { type Executions, examiningExecution, executionName } from './execution.ts';

/** What has happened to a record that concerns its execution. */
export type Change =
  | { readonly kind: 'complete'; readonly validation: Validation }
  /** By a person, or by another execution. Without a token: before the execution asked. */
  | { readonly kind: 'decided'; readonly key: TenantKey; readonly token: string | undefined };

/** Repeating it changes nothing: names of executions are taken once, and a token is good for one answer. */
export async function advance(machine: Executions, change: Change): Promise<void> {
  if (change.kind === 'complete') {
    await machine.start(...examiningExecution(change.validation));
    return;
  }
  const { key, token } = change;
  const goesOn = token !== undefined && (await machine.resume(token));
  // The execution has ended, or has not got so far: the decision stands all the same.
  if (!goesOn) await machine.start(executionName(key, 'decided'), { ...key, stage: 'apply' });
}
