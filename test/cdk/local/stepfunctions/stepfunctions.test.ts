import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListActivitiesCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  type StartExecutionCommandInput,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Activity } from '../../../../cdk/local/activity.ts';
import { Clock } from '../../../../cdk/local/clock.ts';
import type { Credentials } from '../../../../cdk/local/endpoint/endpoint.ts';
import type { Json, JsonObject } from '../../../../cdk/local/endpoint/json.ts';
import { ExecutionStore } from '../../../../cdk/local/stepfunctions/execution-store.ts';
import { Executor } from '../../../../cdk/local/stepfunctions/executor.ts';
import { Machines } from '../../../../cdk/local/stepfunctions/machines.ts';
import { StepFunctionsService } from '../../../../cdk/local/stepfunctions/stepfunctions-service.ts';
import { eventually } from '../../../support/cloud/local-cloud.ts';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { only, task } from '../../../support/cloud/state-machine.ts';

let endpoint: LocalEndpoint;
let executor: Executor;
let store: ExecutionStore;
const clock = new Clock();
const { now } = clock;
const activity = new Activity();
const local = { clock, settled: () => activity.settled() };
const machines = new Machines(REGION, ACCOUNT_ID);
/** By the execution's name, the token that its task gave away. */
const tokens = new Map<Json, string>();

const ASK = task({
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token', 'name.$': '$$.Execution.Name' } },
});

function machine(name: string, definition: JsonObject): string {
  const arn = machines.arnOf(name);
  const revision = store.revision(arn, { definition: JSON.stringify(definition), roleArn: 'role' }, now().getTime());
  machines.add({ arn, name, revision, createdAt: now().getTime() });
  return arn;
}

let quick: string;
let asking: string;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  store = new ExecutionStore(null);
  executor = new Executor({
    store,
    async invoke({ parameters: { Payload } }) {
      const { name = null, token } = Payload as { name?: Json; token: string };
      tokens.set(name, token);
      return { kind: 'succeeded', output: null };
    },
    clock,
    activity,
    report: (line) => expect.fail(line),
  });
  endpoint.add(new StepFunctionsService({ machines, executions: store, executor, region: REGION, now }));
  quick = machine('quick', only({ Type: 'Pass' }));
  asking = machine('asking', only(ASK));
  executor.start(() => true);
});
afterAll(async () => {
  await executor.stop();
  await endpoint.close();
  store.close();
});

const client = (credentials?: Credentials) => new SFNClient(endpoint.clientOptions(credentials));
const start = async (input: StartExecutionCommandInput) => {
  const { executionArn = '' } = await client().send(new StartExecutionCommand(input));
  return executionArn;
};
const describeOf = (executionArn: string) => client().send(new DescribeExecutionCommand({ executionArn }));
const ended = (executionArn: string) =>
  eventually(
    local,
    () => describeOf(executionArn),
    ({ status }) => status !== 'RUNNING',
  );
const tokenOf = (name: string) =>
  eventually(
    local,
    () => tokens.get(name) ?? '',
    (token) => token !== '',
  );

describe('StartExecution', () => {
  test('answers the same for the same name and input while the execution runs', async () => {
    const again = { stateMachineArn: asking, name: 'once', input: '{"a": 1}' };
    const first = await client().send(new StartExecutionCommand(again));
    const second = await client().send(new StartExecutionCommand(again));
    expect([second.executionArn, second.startDate]).toEqual([first.executionArn, first.startDate]);
    await expect(start({ ...again, input: '{"a": 2}' })).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });

  test('refuses a name for 90 days after the end of its execution', async () => {
    const again = { stateMachineArn: quick, name: 'taken' };
    await ended(await start(again));
    await expect(start(again)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    clock.advance(90 * 24 * 3600 * 1000 + 1000);
    const arn = await start(again);
    expect((await ended(arn)).startDate?.getTime()).toBeGreaterThan(Date.now() + 89 * 24 * 3600 * 1000);
  });

  test.each([
    [{ name: 'a b' }, 'InvalidName'],
    [{ name: 'x'.repeat(81) }, 'InvalidName'],
    [{ input: '{' }, 'InvalidExecutionInput'],
    [{ input: `"${'x'.repeat(262_143)}"` }, 'InvalidExecutionInput'],
    [{ stateMachineArn: `arn:aws:states:${REGION}:${ACCOUNT_ID}:stateMachine:none` }, 'StateMachineDoesNotExist'],
  ])('with %o is refused as %s', async (more, name) => {
    await expect(start({ stateMachineArn: quick, ...more })).rejects.toMatchObject({ name });
  });

  test('takes an input of exactly 262,144 bytes', async () => {
    const arn = await start({ stateMachineArn: quick, input: `"${'x'.repeat(262_142)}"` });
    expect((await ended(arn)).status).toBe('SUCCEEDED');
  });
});

describe('an execution', () => {
  test('is described with its input, output and times', async () => {
    const arn = await start({ stateMachineArn: quick, name: 'described', input: '{"a":1}' });
    const described = await ended(arn);
    expect(described).toMatchObject({
      executionArn: arn,
      stateMachineArn: quick,
      name: 'described',
      status: 'SUCCEEDED',
      input: '{"a":1}',
      output: '{"a":1}',
      startDate: expect.any(Date),
      stopDate: expect.any(Date),
    });
  });

  test('is listed newest first, by status and in pages', async () => {
    const stateMachineArn = machine('listed', only(ASK));
    const arns = [];
    for (const name of ['a', 'b', 'c']) arns.push(await start({ stateMachineArn, name: `list-${name}` }));
    await client().send(new StopExecutionCommand({ executionArn: arns[1] }));
    const page = async (statusFilter?: 'RUNNING' | 'ABORTED', nextToken?: string) =>
      client().send(new ListExecutionsCommand({ stateMachineArn, statusFilter, maxResults: 2, nextToken }));
    const first = await page();
    const second = await page(undefined, first.nextToken);
    const executions = [...(first.executions ?? []), ...(second.executions ?? [])];
    expect(executions.map(({ executionArn }) => executionArn)).toEqual([arns[2], arns[1], arns[0]]);
    expect(second.nextToken).toBeUndefined();
    expect((await page('ABORTED')).executions).toMatchObject([{ executionArn: arns[1], status: 'ABORTED' }]);
    await expect(page(undefined, 'odd')).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test('has a history in both orders and in pages', async () => {
    const executionArn = await start({ stateMachineArn: quick });
    await ended(executionArn);
    const page = (more: object) => client().send(new GetExecutionHistoryCommand({ executionArn, ...more }));
    const { events = [] } = await page({});
    expect(events.map(({ id, type }) => [id, type])).toEqual([
      [1, 'ExecutionStarted'],
      [2, 'PassStateEntered'],
      [3, 'PassStateExited'],
      [4, 'ExecutionSucceeded'],
    ]);
    expect(events[1]).toMatchObject({ previousEventId: 1, stateEnteredEventDetails: { name: 'Only', input: '{}' } });
    const last = await page({ reverseOrder: true, maxResults: 3 });
    expect(last.events?.map(({ id }) => id)).toEqual([4, 3, 2]);
    const rest = await page({ reverseOrder: true, maxResults: 3, nextToken: last.nextToken });
    expect(rest).toMatchObject({ events: [{ id: 1 }] });
    expect(rest.nextToken).toBeUndefined();
  });

  test('is stopped once, and stays as it was', async () => {
    const executionArn = await start({ stateMachineArn: asking });
    const stop = (error: string) => client().send(new StopExecutionCommand({ executionArn, error, cause: 'why' }));
    const { stopDate } = await stop('First');
    expect((await stop('Second')).stopDate).toEqual(stopDate);
    expect(await describeOf(executionArn)).toMatchObject({ status: 'ABORTED', error: 'First', cause: 'why' });
  });

  test('that does not exist is ExecutionDoesNotExist', async () => {
    const arn = machines.executionArn('quick', 'none');
    await expect(describeOf(arn)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
    await expect(describeOf('none')).rejects.toMatchObject({ name: 'InvalidArn' });
  });
});

describe('a task token', () => {
  const succeed = (taskToken: string, output = '"yes"') =>
    client().send(new SendTaskSuccessCommand({ taskToken, output }));

  test('takes one answer, and is TaskTimedOut afterwards', async () => {
    const arn = await start({ stateMachineArn: asking, name: 'answered' });
    const token = await tokenOf('answered');
    await expect(succeed(token, '{')).rejects.toMatchObject({ name: 'InvalidOutput' });
    await succeed(token);
    expect(await ended(arn)).toMatchObject({ status: 'SUCCEEDED', output: '"yes"' });
    await expect(succeed(token)).rejects.toMatchObject({ name: 'TaskTimedOut' });
  });

  test('takes a failure with error and cause', async () => {
    const arn = await start({ stateMachineArn: asking, name: 'refused' });
    const taskToken = await tokenOf('refused');
    await client().send(new SendTaskFailureCommand({ taskToken, error: 'No', cause: 'because' }));
    expect(await ended(arn)).toMatchObject({ status: 'FAILED', error: 'No', cause: 'because' });
  });

  test('that was never given is InvalidToken or TaskDoesNotExist', async () => {
    await expect(succeed('odd')).rejects.toMatchObject({ name: 'InvalidToken' });
    await expect(succeed(`AQ${'x'.repeat(84)}`)).rejects.toMatchObject({ name: 'TaskDoesNotExist' });
  });
});

describe('state machines', () => {
  test('are listed in pages', async () => {
    const names: (string | undefined)[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client().send(new ListStateMachinesCommand({ maxResults: 2, nextToken }));
      names.push(...(page.stateMachines ?? []).map(({ name }) => name));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    expect(names).toEqual(machines.all.map(({ name }) => name));
  });

  test('know no other operation', async () => {
    await expect(client().send(new ListActivitiesCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

describe('a role', () => {
  const refused = { name: 'AccessDeniedException' };

  test('starts, describes and answers only what its policies name', async () => {
    const arn = await start({ stateMachineArn: asking, name: 'guarded' });
    const taskToken = await tokenOf('guarded');
    const other = client(endpoint.role('other', allowing('states:*', [quick, machines.executionArn('quick', '*')])));
    await expect(other.send(new StartExecutionCommand({ stateMachineArn: asking }))).rejects.toMatchObject(refused);
    await expect(other.send(new DescribeExecutionCommand({ executionArn: arn }))).rejects.toMatchObject(refused);
    await expect(other.send(new ListStateMachinesCommand({}))).rejects.toMatchObject(refused);
    const answer = new SendTaskSuccessCommand({ taskToken, output: '1' });
    await expect(other.send(answer)).rejects.toMatchObject(refused);
    await other.send(new StartExecutionCommand({ stateMachineArn: quick }));

    const own = client(endpoint.role('own', allowing('states:SendTaskSuccess', asking)));
    await own.send(answer);
    expect(await ended(arn)).toMatchObject({ status: 'SUCCEEDED' });
  });
});
