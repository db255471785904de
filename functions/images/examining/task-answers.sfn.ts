import {
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { callLimits } from '#shared/quotas/call-limits';
import type { ExamineDeps } from './examine-image.ts';

const GONE = [TaskTimedOut, TaskDoesNotExist, InvalidToken];

/** Answers waiting tasks. An answer to a task that no longer waits is dropped, because it was already answered. */
export function taskAnswers(): Pick<ExamineDeps, 'succeed' | 'fail'> {
  const sfn = new SFNClient({ maxAttempts: 4, requestHandler: callLimits(5_000) });
  const unlessGone = async (sent: Promise<unknown>) => {
    try {
      await sent;
    } catch (error) {
      if (!GONE.some((gone) => error instanceof gone)) throw error;
    }
  };
  return {
    succeed: (taskToken, image) =>
      unlessGone(sfn.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(image) }))),
    fail: (taskToken, error) => unlessGone(sfn.send(new SendTaskFailureCommand({ taskToken, error }))),
  };
}
