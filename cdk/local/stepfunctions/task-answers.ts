/** Answers to tasks by their token. */
import type { Happening } from './execution/step.ts';
import { invalid, jsonIn, type Store } from './starting.ts';

/** The form of the tokens that the executor makes. */
const TOKEN = /^AQ[\w-]{84}$/;

/** The machine, whose permission AWS checks; null when no task has the token. */
export function resourceOfToken({ executions }: Store, token: string): string | null {
  return executions.byToken(token)?.execution.identity.machineArn ?? null;
}

export type TaskMessage =
  | { readonly kind: 'succeeded'; readonly output: string }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string };

export function answerTask(store: Store, token: string, message: TaskMessage): object {
  const happening: Happening =
    message.kind === 'succeeded'
      ? { kind: 'succeeded', token, output: jsonIn(message.output, 'InvalidOutput', 'Invalid Output') }
      : { ...message, token };
  if (!TOKEN.test(token)) throw invalid('InvalidToken', "Invalid Token: 'Invalid token'");
  const stored = store.executions.byToken(token);
  if (!stored) throw invalid('TaskDoesNotExist', "Task Does Not Exist: 'Provided task does not exist anymore'");
  if (!store.executor.happen(stored.execution.identity.arn, happening)) {
    throw invalid('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  }
  return {};
}
