/** The operations of Step Functions. Each names the permission that it needs, and answers once it is given. */
import type { z } from 'zod';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type Operation, type Operations, operationsOf } from '../endpoint/json-service.ts';
import { endOfPage, pageOf } from './paging.ts';
import { describedExecution, listedExecution, listedMachine, presentedEvent } from './presentation.ts';
import { REQUESTS } from './request.ts';
import { existing, invalid, type Store, startExecution, stopExecution } from './starting.ts';
import { answerTask, resourceOfToken } from './task-answers.ts';

export const OPERATIONS: Operations<Store> = {
  StartExecution: operation('StartExecution', REQUESTS.StartExecution, {
    resource: (_store, { stateMachineArn }) => stateMachineArn,
    answer: startExecution,
  }),
  StopExecution: operation('StopExecution', REQUESTS.StopExecution, {
    resource: (_store, { executionArn }) => executionArn,
    answer: stopExecution,
  }),
  DescribeExecution: operation('DescribeExecution', REQUESTS.DescribeExecution, {
    resource: (_store, { executionArn }) => executionArn,
    answer: (store, { executionArn }) => describedExecution(existing(store, executionArn).execution),
  }),
  ListExecutions: operation('ListExecutions', REQUESTS.ListExecutions, {
    resource: (_store, { stateMachineArn }) => stateMachineArn,
    answer: (store, { stateMachineArn, statusFilter, ...paging }) => {
      const { arn } = machineOf(store, stateMachineArn);
      const page = pageOf(paging);
      const executions = store.executions.ofMachine(arn, statusFilter, { ...page, limit: page.limit + 1 });
      const { items, nextToken } = endOfPage(executions, page.limit, ({ number }) => number);
      return { executions: items.map(({ execution }) => listedExecution(execution)), nextToken };
    },
  }),
  GetExecutionHistory: operation('GetExecutionHistory', REQUESTS.GetExecutionHistory, {
    resource: (_store, { executionArn }) => executionArn,
    answer: (store, { executionArn, reverseOrder: reverse, ...paging }) => {
      existing(store, executionArn);
      const page = pageOf(paging);
      const events = store.executions.history(executionArn, { ...page, limit: page.limit + 1, reverse });
      const { items, nextToken } = endOfPage(events, page.limit, ({ id }) => id);
      return { events: items.map(presentedEvent), nextToken };
    },
  }),
  ListStateMachines: operation('ListStateMachines', REQUESTS.ListStateMachines, {
    resource: () => '*',
    answer: ({ machines }, paging) => {
      const { limit, after = 0 } = pageOf(paging);
      const numbered = machines.all.map((machine, at) => ({ machine, number: at + 1 }));
      const { items, nextToken } = endOfPage(numbered.slice(after), limit, ({ number }) => number);
      return { stateMachines: items.map(({ machine }) => listedMachine(machine)), nextToken };
    },
  }),
  SendTaskSuccess: operation('SendTaskSuccess', REQUESTS.SendTaskSuccess, {
    resource: (store, { taskToken }) => resourceOfToken(store, taskToken),
    answer: (store, { taskToken, output }) => answerTask(store, taskToken, { kind: 'succeeded', output }),
  }),
  SendTaskFailure: operation('SendTaskFailure', REQUESTS.SendTaskFailure, {
    resource: (store, { taskToken }) => resourceOfToken(store, taskToken),
    answer: (store, { taskToken, error = '', cause = '' }) =>
      answerTask(store, taskToken, { kind: 'failed', error, cause }),
  }),
};

interface Behaviour<Request> {
  /** Null when the call concerns nothing that exists: its answer reveals no more than that. */
  readonly resource: (store: Store, request: Request) => string | null;
  readonly answer: (store: Store, request: Request) => object;
}

/** Existence is checked in the answer: a caller without the permission must not learn whether the resource exists. */
function operation<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { resource, answer }: Behaviour<z.output<Schema>>,
): Operation<Store> {
  return operationsOf<Store>('ValidationException')(schema, (store, request) => {
    const concerned = resource(store, request);
    return {
      permissions: concerned === null ? [] : [{ action: `states:${name}`, resource: concerned }],
      answer: () => answer(store, request),
    };
  });
}

function machineOf({ machines }: Store, arn: string) {
  const machine = machines.byArn(arn);
  if (machine) return machine;
  if (!/^arn:aws:states:[^:]*:\d*:stateMachine:[^:]+$/.test(arn)) throw invalid('InvalidArn', `Invalid Arn: '${arn}'`);
  throw new CallRefusal(400, 'StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
}
