import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../cdk/local/endpoint/json.ts';
import { type Invoked, only, ran, TestRun, task } from '../../../support/cloud/state-machine.ts';

const typesOf = ({ events }: { events: readonly { readonly type: string }[] }) => events.map(({ type }) => type);
const answering =
  (...answers: readonly ReturnType<Invoked>[]): Invoked =>
  () => {
    const [first, ...rest] = answers;
    if (!first) throw new Error('The function was invoked too often.');
    answers = rest;
    return first;
  };

describe('the fields of input and output', () => {
  const input = { a: { b: 1 }, c: 2 };
  const result = { Parameters: { n: 7 } };
  const FIELDS: readonly [name: string, state: JsonObject, output: Json][] = [
    ['no field hands the input on', {}, input],
    ['Parameters make the result', { Parameters: { 'x.$': '$.a.b', y: [{ 'z.$': '$.c' }] } }, { x: 1, y: [{ z: 2 }] }],
    ['Parameters read the context', { Parameters: { 'n.$': '$$.Execution.Input.c' } }, { n: 2 }],
    ['ResultPath puts the result into the input', { ...result, ResultPath: '$.r.s' }, { ...input, r: { s: { n: 7 } } }],
    ['ResultPath replaces what is there', { ...result, ResultPath: '$.a.b' }, { a: { b: { n: 7 } }, c: 2 }],
    ['ResultPath null drops the result', { ...result, ResultPath: null }, input],
  ];
  test.each(FIELDS)('%s', (_name, state, output) => {
    expect(ran(only({ Type: 'Pass', ...state }), { input }).execution).toMatchObject({ status: 'SUCCEEDED', output });
  });

  const ERRORS: readonly [name: string, state: JsonObject, error: string][] = [
    ['Parameters', { Parameters: { 'x.$': '$.gone' } }, 'States.ParameterPathFailure'],
    ['ResultPath', { ResultPath: '$.c.d' }, 'States.ResultPathMatchFailure'],
  ];
  test.each(ERRORS)('%s that cannot be followed fails the execution', (_name, state, error) => {
    expect(ran(only({ Type: 'Pass', ...state }), { input }).execution).toMatchObject({ status: 'FAILED', error });
  });

  test('ResultSelector sees the result of the task alone', () => {
    const machine = only(task({ ResultSelector: { 'x.$': '$.Payload.n' }, ResultPath: '$.task' }));
    const { execution } = ran(machine, { input, invoke: () => ({ output: { Payload: { n: 5 } } }) });
    expect(execution.output).toEqual({ ...input, task: { x: 5 } });
  });

  test('more than 262,144 bytes are States.DataLimitExceeded, which States.ALL does not catch but its name does', () => {
    const invoke = answering({ output: 'x'.repeat(262_143) }, { output: 'x'.repeat(262_142) });
    const caught = (ErrorEquals: string): JsonObject => ({
      StartAt: 'Work',
      States: {
        Work: task({ Catch: [{ ErrorEquals: [ErrorEquals], Next: 'Caught' }], End: true }),
        Caught: { Type: 'Succeed' },
      },
    });
    expect(ran(caught('States.ALL'), { invoke }).execution.error).toBe('States.DataLimitExceeded');
    expect(ran(caught('States.ALL'), { invoke }).execution.status).toBe('SUCCEEDED');
    const large = answering({ output: 'x'.repeat(262_143) });
    expect(ran(caught('States.DataLimitExceeded'), { invoke: large }).execution.output).toMatchObject({
      Error: 'States.DataLimitExceeded',
    });
  });
});

describe('a Task', () => {
  test('records what GetExecutionHistory shows, each event after its predecessor', () => {
    const run = ran(only(task({ TimeoutSeconds: 9 })), { invoke: () => ({ output: 1 }) });
    expect(typesOf(run)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskStarted',
      'TaskSucceeded',
      'TaskStateExited',
      'ExecutionSucceeded',
    ]);
    expect(run.events.map(({ id, previousEventId }) => [id, previousEventId])).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((id) => [id, id - 1]),
    );
    expect(run.events[2]?.details).toEqual({
      taskScheduledEventDetails: {
        resourceType: 'lambda',
        resource: 'invoke',
        region: 'us-east-1',
        parameters: '{"FunctionName":"work","Payload":{}}',
        timeoutInSeconds: 9,
      },
    });
  });

  test('is tried again after IntervalSeconds times BackoffRate, at most MaxAttempts times', () => {
    const failure = { error: 'Busy', cause: 'too much' };
    const Retry = [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 3, MaxDelaySeconds: 10 }];
    const invoke = answering(failure, failure, failure, failure);
    const { execution, tookMillis } = ran(only(task({ Retry })), { invoke });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'Busy', cause: 'too much' });
    expect(tookMillis).toBe((2 + 6 + 10) * 1000);
  });

  test('counts attempts for each retrier, spreads full jitter, and knows its RetryCount', () => {
    const Retry = [
      { ErrorEquals: ['A'], MaxAttempts: 1, JitterStrategy: 'FULL', IntervalSeconds: 4 },
      { ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1, IntervalSeconds: 7 },
    ];
    const seen: Json[] = [];
    const answers = answering({ error: 'A' }, { error: 'B' }, { output: 'done' });
    const machine = only(
      task({ Retry, Parameters: { FunctionName: 'work', Payload: { 'count.$': '$$.State.RetryCount' } } }),
    );
    const { execution, tookMillis } = ran(machine, {
      invoke: (parameters, token) => {
        seen.push(parameters['Payload'] ?? null);
        return answers(parameters, token);
      },
    });
    expect(execution.output).toBe('done');
    // The test's random number is one half.
    expect(tookMillis).toBe((2 + 7) * 1000);
    expect(seen).toEqual([{ count: 0 }, { count: 1 }, { count: 2 }]);
  });

  test.each([
    ['States.ALL', 'Anything', true],
    ['States.TaskFailed', 'Anything', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.Timeout', 'States.Timeout', true],
    ['States.ALL', 'States.Runtime', false],
    ['States.Runtime', 'States.Runtime', false],
    ['Other', 'Anything', false],
  ])('catches by %s the error %s: %s', (name, error, isCaught) => {
    const machine = {
      StartAt: 'Work',
      States: {
        Work: task({ End: true, Catch: [{ ErrorEquals: [name], Next: 'Caught', ResultPath: '$.failure' }] }),
        Caught: { Type: 'Succeed' },
      },
    };
    const { execution } = ran(machine, { input: { kept: 1 }, invoke: () => ({ error, cause: 'why' }) });
    const expected = isCaught
      ? { status: 'SUCCEEDED', output: { kept: 1, failure: { Error: error, Cause: 'why' } } }
      : { status: 'FAILED', error };
    expect(execution).toMatchObject(expected);
  });

  const waiting = (more: JsonObject = {}) =>
    only(
      task({
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
        ...more,
      }),
    );

  test('with a token waits for the answer by token and not for that of the function', () => {
    let given: Json = null;
    const run = new TestRun(waiting(), {
      invoke: ({ Payload }) => {
        given = Payload ?? null;
        return { submitted: true };
      },
    });
    expect(run.finish().execution.status).toBe('RUNNING');
    const { token } = given as unknown as { token: string };
    expect(run.happen({ kind: 'succeeded', token: 'other', output: 1 })).toBe(false);
    expect(run.happen({ kind: 'succeeded', token, output: { answer: 42 } })).toBe(true);
    expect(run.finish()).toMatchObject({ execution: { status: 'SUCCEEDED', output: { answer: 42 } } });
    expect(typesOf(run)).toContain('TaskSubmitted');
    expect(run.happen({ kind: 'succeeded', token, output: 1 })).toBe(false);
  });

  test('is over after TimeoutSeconds, and a retry has a new token', () => {
    const tokens: string[] = [];
    const machine = waiting({ TimeoutSeconds: 5, Retry: [{ ErrorEquals: ['States.Timeout'], MaxAttempts: 1 }] });
    const { execution, tookMillis } = ran(machine, {
      invoke: (_parameters, token) => {
        tokens.push(token);
        return { submitted: true };
      },
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
    expect(tookMillis).toBe(11_000);
    expect(new Set(tokens).size).toBe(2);
  });
});

describe('Map', () => {
  const branch = (state: JsonObject, name: string): JsonObject => ({
    StartAt: name,
    States: { [name]: { End: true, ...state } },
  });

  test('results that are too large together fail the state with States.DataLimitExceeded', () => {
    const half: Invoked = () => ({ output: 'x'.repeat(131_072) });
    const run = ran(only({ Type: 'Map', ItemProcessor: branch(task(), 'Work') }), { input: [1, 2], invoke: half });
    expect(run.execution).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
    expect(typesOf(run).slice(-2)).toEqual(['MapStateFailed', 'ExecutionFailed']);
  });

  test('an error in an iteration ends the others, and the Map can be retried and caught', () => {
    const States = {
      Both: {
        Type: 'Map',
        Retry: [{ ErrorEquals: ['Bad'], MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
        End: true,
        ItemProcessor: branch(task({ Retry: [{ ErrorEquals: ['Slow'], IntervalSeconds: 1000 }] }), 'Work'),
      },
      Caught: { Type: 'Succeed' },
    };
    const slow = { error: 'Slow' };
    const invoke = answering(slow, { error: 'Bad' }, slow, { error: 'Worse', cause: 'second' });
    const run = ran({ StartAt: 'Both', States }, { input: [1, 2], invoke });
    expect(run.execution.output).toEqual({ Error: 'Worse', Cause: 'second' });
    expect(run.tookMillis).toBe(1000);
  });

  const mapping = (more: JsonObject, state: JsonObject = task()) =>
    only({ Type: 'Map', ItemProcessor: { ...branch(state, 'Work'), ProcessorConfig: { Mode: 'INLINE' } }, ...more });
  const echo: Invoked = ({ Payload = null }) => ({ output: Payload });

  test('a Map processes items of its path, selected with index and value, in their order', () => {
    const ItemSelector = { 'at.$': '$$.Map.Item.Index', 'item.$': '$$.Map.Item.Value', 'all.$': '$.name' };
    const { execution } = ran(mapping({ ItemsPath: '$.list', ItemSelector, ResultPath: '$.done' }), {
      input: { name: 'n', list: ['x', 'y'] },
      invoke: echo,
    });
    expect(execution.output).toMatchObject({
      done: [
        { at: 0, item: 'x', all: 'n' },
        { at: 1, item: 'y', all: 'n' },
      ],
    });
  });

  test('a Map of nothing gives an empty list, and one without a list fails', () => {
    expect(ran(mapping({}), { input: [] }).execution.output).toEqual([]);
    expect(ran(mapping({}), { input: {} }).execution.error).toBe('States.Runtime');
  });

  test.each([
    [{ MaxConcurrency: 3 }, 3],
    [{ MaxConcurrency: 0 }, 40],
    [{}, 40],
    [{ MaxConcurrency: 100 }, 40],
  ])('a Map with %j runs at most %i iterations at a time', (limit, most) => {
    let together = 0;
    const { execution } = ran(mapping(limit), {
      input: Array.from({ length: 60 }, (_, at) => at),
      invoke: echo,
      between(execution) {
        together = Math.max(together, execution.frames.length - 1);
        return execution;
      },
    });
    expect(execution.output).toEqual(Array.from({ length: 60 }, (_, at) => at));
    expect(together).toBe(most);
  });

  test('one failing iteration fails the Map, and events say which', () => {
    const invoke: Invoked = ({ Payload = null }) => (Payload === 1 ? { error: 'Bad' } : { output: Payload });
    const run = ran(mapping({ MaxConcurrency: 2 }), { input: [0, 1, 2], invoke });
    expect(run.execution).toMatchObject({ status: 'FAILED', error: 'Bad' });
    const failed = run.events.find(({ type }) => type === 'MapIterationFailed');
    expect(failed?.details).toEqual({ mapIterationFailedEventDetails: { name: 'Only', index: 1 } });
    expect(typesOf(run)).toContain('MapIterationAborted');
  });

  test('a Map inside a Map sees its own item', () => {
    const inner = {
      Type: 'Map',
      ItemProcessor: branch({ Type: 'Pass', Parameters: { 'v.$': '$$.Map.Item.Value' } }, 'Deep'),
    };
    expect(ran(mapping({}, inner), { input: [[1, 2], [3]] }).execution.output).toEqual([
      [{ v: 1 }, { v: 2 }],
      [{ v: 3 }],
    ]);
  });
});

test('an execution that would have more than 25,000 events fails', () => {
  const machine = { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } } };
  const { execution, events } = ran(machine);
  expect(execution).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  expect(events).toHaveLength(25_000);
  expect(events.at(-1)?.type).toBe('ExecutionFailed');
});
