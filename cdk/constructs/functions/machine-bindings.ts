import { Grant } from 'aws-cdk-lib/aws-iam';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Binding } from './bindings.ts';

const onMachine =
  (...actions: readonly string[]) =>
  (machine: IStateMachine): Binding => ({
    value: machine.stateMachineArn,
    grantTo: (grantee) =>
      Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns: [machine.stateMachineArn] }),
  });

/** The machine's ARN, and starting executions of it. */
export const starts = onMachine('states:StartExecution');

/** The machine's ARN, starting executions of it, and answering those that wait with a token. */
export const startsAndResumes = onMachine('states:StartExecution', 'states:SendTaskSuccess');

/** The machine's ARN, and answering its tasks that wait with a token. */
export const answersTasksOf = onMachine('states:SendTaskSuccess', 'states:SendTaskFailure');
