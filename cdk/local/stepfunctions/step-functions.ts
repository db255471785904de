/** Step Functions of one local cloud. */
import { join } from 'node:path';
import type { CloudContext } from '../cloud-context.ts';
import type { FunctionLogs } from '../lambda/function-log.ts';
import { ExecutionStore } from './execution-store.ts';
import { Executor } from './executor.ts';
import { invokeFunction } from './lambda-task.ts';
import { Machines } from './machines.ts';
import { sendToQueue } from './queue-task.ts';
import type { Store } from './starting.ts';
import { StepFunctionsService } from './stepfunctions-service.ts';

export class StepFunctions {
  readonly store: Store;
  readonly executor: Executor;

  constructor(cloud: CloudContext, logs: FunctionLogs) {
    const { region, accountId, dataDir, clock, activity, now, report, functions, roles } = cloud;
    const executions = new ExecutionStore(dataDir === null ? null : join(dataDir, 'stepfunctions.db'));
    const invoke = (call: Parameters<typeof invokeFunction>[1]) =>
      'QueueUrl' in call.parameters ? sendToQueue(cloud, call) : invokeFunction({ functions, roles }, call);
    const machines = new Machines(region, accountId);
    this.executor = new Executor({
      store: executions,
      invoke,
      clock,
      activity,
      report,
      onFailure: ({ identity: { arn, machineArn }, error, cause }) => {
        const { logGroup } = machines.byArn(machineArn) ?? {};
        if (logGroup === undefined) return;
        logs.receive(
          logGroup,
          JSON.stringify({ type: 'ExecutionFailed', execution_arn: arn, details: { error, cause } }),
        );
      },
    });
    this.store = { machines, executions, executor: this.executor, region, now };
    cloud.endpoint.add(new StepFunctionsService(this.store));
  }

  /** Writes all state to disk; every further call fails. */
  close(): void {
    this.store.executions.close();
  }
}
