import {
  ExecutionAlreadyExists,
  InvalidToken,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { callLimits } from '#shared/quotas/call-limits';
import type { Executions } from './execution.ts';

/** @param client @default a client made for the function */
export function executions(machineArn: string, client?: SFNClient): Executions {
  const sfn = client ?? new SFNClient({ maxAttempts: 4, requestHandler: callLimits(5_000) });
  return {
    async start(name, input) {
      try {
        // Every state passes the origin on, so that it must be there.
        const whole = { origin: '', ...input };
        // The call also succeeds while an execution with the same name and input is running, and returns its start.
        const { startDate } = await sfn.send(
          new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(whole) }),
        );
        return startDate?.getTime() ?? 0;
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
        return undefined;
      }
    },

    async resume(token) {
      try {
        await sfn.send(new SendTaskSuccessCommand({ taskToken: token, output: '{}' }));
        return true;
      } catch (error) {
        if (GONE.some((gone) => error instanceof gone)) return false;
        throw error;
      }
    },
  };
}

/** Step Functions answers with these errors if the token's task no longer waits. */
const GONE = [TaskTimedOut, TaskDoesNotExist, InvalidToken];
