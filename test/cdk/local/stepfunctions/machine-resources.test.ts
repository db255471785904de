import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import {
  Choice,
  Condition,
  DefinitionBody,
  IntegrationPattern,
  JsonPath,
  LogLevel,
  Map as MapState,
  Pass,
  StateMachine,
  StateMachineType,
  Succeed,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { clientOptions, eventually, functionOf, importing, invoke } from '../../../support/cloud/local-cloud.ts';
import { storedCloud } from '../../../support/cloud/stored-cloud.ts';

const stored = storedCloud();

const client = (of: Cloud) => new SFNClient(clientOptions(of));
const arnIn = ({ outputs }: Cloud) => outputs['MachineArn'] ?? '';

async function start(of: Cloud, input: object): Promise<string> {
  const command = new StartExecutionCommand({ stateMachineArn: arnIn(of), input: JSON.stringify(input) });
  return (await client(of).send(command)).executionArn ?? '';
}

async function ended(of: Cloud, executionArn: string) {
  const { status, output, error, cause } = await eventually(
    of,
    () => client(of).send(new DescribeExecutionCommand({ executionArn })),
    ({ status }) => status !== 'RUNNING',
  );
  return { status, output: output === undefined ? undefined : JSON.parse(output), error, cause };
}

async function history(of: Cloud, executionArn: string): Promise<string[]> {
  const { events = [] } = await client(of).send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  return events.map(({ type = '' }) => type);
}

const DOUBLE = 'export const handler = async ({ n }) => ({ doubled: 2 * n });';
const JUDGE = `export const handler = async (all) => (all.at(-1).doubled > 5 ? 'large' : 'little');`;
const FLAKY = `let calls = 0;
export const handler = async () => {
  calls += 1;
  if (calls === 1) throw Object.assign(new Error('not yet'), { name: 'Busy' });
  return 'done at ' + calls;
};`;
const FAILING = `export const handler = async () => { throw Object.assign(new Error('no good'), { name: 'BadImage' }); };`;

/** Doubles the items, and asks a reviewer when the last one is large. */
function reviewing(stack: Stack) {
  const double = new LambdaInvoke(stack, 'Double', {
    lambdaFunction: functionOf(stack, 'Doubler', DOUBLE),
    payload: TaskInput.fromObject({ n: JsonPath.numberAt('$.n') }),
    resultSelector: { 'doubled.$': '$.Payload.doubled' },
  });
  const doubleAll = new MapState(stack, 'DoubleAll', {
    itemsPath: '$.items',
    itemSelector: { 'n.$': '$$.Map.Item.Value' },
    maxConcurrency: 2,
    resultPath: '$.doubled',
  });
  const judge = new LambdaInvoke(stack, 'Judge', {
    lambdaFunction: functionOf(stack, 'Judging', JUDGE),
    payload: TaskInput.fromJsonPathAt('$.doubled'),
    resultSelector: { 'size.$': '$.Payload' },
    resultPath: '$.last',
  });
  const ask = new LambdaInvoke(stack, 'Ask', {
    integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
    lambdaFunction: functionOf(stack, 'Asker', 'export const handler = async ({ token }) => console.log(token);'),
    payload: TaskInput.fromObject({ token: JsonPath.taskToken }),
    taskTimeout: Timeout.duration(Duration.hours(1)),
    resultPath: '$.review',
  });
  const large = Condition.stringEquals('$.last.size', 'large');
  const machine = new StateMachine(stack, 'Machine', {
    definitionBody: DefinitionBody.fromChainable(
      doubleAll
        .itemProcessor(double)
        .next(judge)
        .next(new Choice(stack, 'IsLarge').when(large, ask).otherwise(new Succeed(stack, 'Little'))),
    ),
  });
  new CfnOutput(stack, 'MachineArn', { value: machine.stateMachineArn });
}

function trying(source: string, retry: boolean, role?: IRole) {
  return (stack: Stack) => {
    const work = new LambdaInvoke(stack, 'Work', {
      lambdaFunction: functionOf(stack, 'Worker', source),
      retryOnServiceExceptions: false,
    });
    if (retry) work.addRetry({ errors: ['Busy'], interval: Duration.minutes(2), maxAttempts: 1 });
    else work.addCatch(new Pass(stack, 'Caught'), { errors: ['BadImage'], resultPath: '$.failure' });
    const machine = new StateMachine(stack, 'Machine', { definitionBody: DefinitionBody.fromChainable(work), role });
    new CfnOutput(stack, 'MachineArn', { value: machine.stateMachineArn });
  };
}

describe('a state machine of a template', () => {
  it('runs its functions over a map and chooses by the result', async () => {
    const first = await stored.start(reviewing);
    const arn = await start(first, { items: [1, 2] });
    const output = { last: { size: 'little' }, doubled: [{ doubled: 2 }, { doubled: 4 }] };
    expect(await ended(first, arn)).toMatchObject({ status: 'SUCCEEDED', output });
    const types = await history(first, arn);
    expect(types.filter((type) => type === 'TaskSucceeded')).toHaveLength(3);
    expect(types.at(-1)).toBe('ExecutionSucceeded');
  });

  it('logs executions that fail, which metric filters count', async () => {
    const cloud = await stored.start((stack) => {
      const logs = new LogGroup(stack, 'Executions');
      const choice = new Choice(stack, 'IsRight').when(
        Condition.stringEquals('$.is', 'right'),
        new Succeed(stack, 'Right'),
      );
      const machine = new StateMachine(stack, 'Machine', {
        definitionBody: DefinitionBody.fromChainable(choice),
        logs: { destination: logs, level: LogLevel.FATAL, includeExecutionData: false },
      });
      const filter = new MetricFilter(stack, 'Failures', {
        logGroup: logs,
        filterPattern: FilterPattern.stringValue('$.type', '=', 'ExecutionFailed'),
        metricNamespace: 'Test',
        metricName: 'Failures',
      });
      new Alarm(stack, 'Alarm', { metric: filter.metric(), threshold: 1, evaluationPeriods: 1 });
      new CfnOutput(stack, 'MachineArn', { value: machine.stateMachineArn });
    });
    const stateAfter = async (input: object) => {
      await ended(cloud, await start(cloud, input));
      cloud.evaluateAlarms();
      return cloud.alarms()[0]?.state;
    };
    expect(await stateAfter({ is: 'right' })).toBe('INSUFFICIENT_DATA');
    expect(await stateAfter({})).toBe('ALARM');
  });

  it('waits for a task token over a restart of the cloud', async () => {
    const first = await stored.start(reviewing);
    const arn = await start(first, { items: [1, 2, 3] });
    await eventually(
      first,
      () => history(first, arn),
      (types) => types.includes('TaskSubmitted'),
    );
    const [taskToken] = /AQ[\w-]{84}/.exec(JSON.stringify(first.logsOf('Asker'))) ?? [];
    const before = await history(first, arn);

    const second = await stored.start(reviewing);
    expect(await history(second, arn)).toEqual(before);
    await client(second).send(new SendTaskSuccessCommand({ taskToken, output: '{"verdict":"valid"}' }));
    expect(await ended(second, arn)).toMatchObject({
      status: 'SUCCEEDED',
      output: { last: { size: 'large' }, review: { verdict: 'valid' } },
    });
  });

  it('tries a failed function again when the clock has reached the retry', async () => {
    const first = await stored.start(trying(FLAKY, true));
    const arn = await start(first, {});
    await eventually(
      first,
      () => history(first, arn),
      (types) => types.includes('TaskFailed'),
    );
    first.clock.advance(119_000);
    await first.settled();
    expect(await history(first, arn)).not.toContain('TaskSucceeded');
    first.clock.advance(2000);
    expect(await ended(first, arn)).toMatchObject({ status: 'SUCCEEDED', output: { Payload: 'done at 2' } });
  });

  it('catches the error of a function by its type, with what the function reported as the cause', async () => {
    const first = await stored.start(trying(FAILING, false));
    const { status, output } = await ended(first, await start(first, { kept: 1 }));
    expect(status).toBe('SUCCEEDED');
    expect(output).toMatchObject({ kept: 1, failure: { Error: 'BadImage' } });
    expect(JSON.parse(output.failure.Cause)).toMatchObject({ errorType: 'BadImage', errorMessage: 'no good' });
  });

  it('invokes a function only with the permission of its role', async () => {
    const first = await stored.start((stack) => {
      const assumedBy = new ServicePrincipal('states.amazonaws.com');
      trying(DOUBLE, false, new Role(stack, 'Powerless', { assumedBy }).withoutPolicyUpdates())(stack);
    });
    expect(await ended(first, await start(first, {}))).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.AWSLambdaException',
      cause: expect.stringContaining(
        'is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:',
      ),
    });
  });

  it('is started by a function whose role has the permission, and by no other', async () => {
    const source = `${importing('SFNClient, StartExecutionCommand', '@aws-sdk/client-sfn')}
export const handler = async (stateMachineArn) => {
  const { executionArn } = await new SFNClient().send(new StartExecutionCommand({ stateMachineArn }));
  return executionArn;
};`;
    const first = await stored.start((stack) => {
      const machine = new StateMachine(stack, 'Machine', {
        definitionBody: DefinitionBody.fromChainable(new Pass(stack, 'Nothing')),
      });
      machine.grantStartExecution(functionOf(stack, 'May', source));
      functionOf(stack, 'MayNot', source);
      new CfnOutput(stack, 'MachineArn', { value: machine.stateMachineArn });
    });
    const { payload: arn } = await invoke(first, first.functionName('/May/'), arnIn(first));
    expect(await ended(first, String(arn))).toMatchObject({ status: 'SUCCEEDED' });
    expect((await invoke(first, first.functionName('/MayNot/'), arnIn(first))).payload).toMatchObject({
      errorType: 'AccessDeniedException',
      errorMessage: expect.stringContaining('states:StartExecution'),
    });
  });
});

describe('a template', () => {
  const machineOf =
    (definition: object, type = StateMachineType.STANDARD) =>
    (stack: Stack) =>
      void new StateMachine(stack, 'Machine', {
        definitionBody: DefinitionBody.fromString(JSON.stringify(definition)),
        stateMachineType: type,
      });
  const one = (state: object) => ({ StartAt: 'Only', States: { Only: { End: true, ...state } } });
  const invoking = one({
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: 'nobody' },
  });

  it.each([
    [
      'a field that is not supported',
      machineOf(one({ Type: 'Pass', Assign: { a: 1 } })),
      /Machine.*State "Only": Assign/,
    ],
    ['an Express machine', machineOf(one({ Type: 'Pass' }), StateMachineType.EXPRESS), /standard workflows only/],
    ['a function that does not exist', machineOf(invoking), /there is no function nobody/],
  ])('with %s is refused at the start', async (_what, fill, message) => {
    await expect(stored.start(fill)).rejects.toThrow(message);
  });
});
