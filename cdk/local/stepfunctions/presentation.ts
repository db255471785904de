/** Answers of Step Functions. Times are seconds since 1970. */
import type { Execution, HistoryEvent } from './execution/execution.ts';
import type { Machine } from './machines.ts';

const seconds = (millis: number) => millis / 1000;

export function listedExecution({ identity, status, stoppedAt }: Execution) {
  return {
    executionArn: identity.arn,
    stateMachineArn: identity.machineArn,
    name: identity.name,
    status,
    startDate: seconds(identity.startedAt),
    ...(stoppedAt !== null && { stopDate: seconds(stoppedAt) }),
    redriveCount: 0,
  };
}

export function describedExecution(execution: Execution) {
  const { identity, output, error, cause } = execution;
  return {
    ...listedExecution(execution),
    input: JSON.stringify(identity.input),
    inputDetails: { included: true },
    ...(output !== undefined && { output: JSON.stringify(output), outputDetails: { included: true } }),
    error,
    cause,
    redriveStatus: 'NOT_REDRIVABLE',
    redriveStatusReason: 'The local cloud does not redrive executions.',
  };
}

export function listedMachine({ arn, name, createdAt }: Machine) {
  return { stateMachineArn: arn, name, type: 'STANDARD', creationDate: seconds(createdAt) };
}

export function presentedEvent({ id, previousEventId, type, at, details }: HistoryEvent) {
  return { id, previousEventId, type, timestamp: seconds(at), ...details };
}
