import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../cdk/local/endpoint/json.ts';
import { parseDefinition } from '../../../../cdk/local/stepfunctions/language/definition.ts';
import { only, ran, task } from '../../../support/cloud/state-machine.ts';

const outcome = (definition: JsonObject, input: Json) => {
  const { status, output, error } = ran(definition, { input }).execution;
  return status === 'SUCCEEDED' ? output : { status, error };
};
const failing = (error: string) => ({ status: 'FAILED', error });

const store = { store: { bicycle: { price: 19 }, book: [{ price: 8 }] } };
const PATHS: readonly [path: string, value: Json][] = [
  ['$', store],
  ['$.store.bicycle.price', 19],
  ['$$.Execution.Name', 'run'],
  ['$$.State.Name', 'Only'],
  ['$$.StateMachine.Name', 'machine'],
];

describe('a path', () => {
  test.each(PATHS)('%s selects a member', (path, value) => {
    expect(outcome(only({ Type: 'Pass', Parameters: { 'found.$': path } }), store)).toEqual({ found: value });
  });

  test.each(['$.a[?(@.b)]', '$.a.length()', 'a', '$.', '$.a b', '$.a[0]', '$..a', '$.a.*', "$['a']"])(
    '%s is refused at the start',
    (path) => {
      const definition = JSON.stringify(only({ Type: 'Pass', ResultPath: path }));
      expect(() => parseDefinition(definition)).toThrow(/^State "Only": ResultPath: the local cloud does not have/);
    },
  );
});

describe('a Choice', () => {
  const choosing = (rule: JsonObject, fallback: JsonObject = { Default: 'No' }): JsonObject => ({
    StartAt: 'Choose',
    States: {
      Choose: { Type: 'Choice', Choices: [{ ...rule, Next: 'Yes' }], ...fallback },
      Yes: { Type: 'Pass', Parameters: { chosen: 'yes' }, End: true },
      No: { Type: 'Pass', Parameters: { chosen: 'no' }, End: true },
    },
  });

  test.each([
    ['a', 'yes'],
    ['b', 'no'],
    [1, 'no'],
  ])('by the text "a" of %j chooses %s', (value, chosen) => {
    expect(outcome(choosing({ Variable: '$.value', StringEquals: 'a' }), { value })).toEqual({ chosen });
  });

  test('of a missing variable fails', () => {
    expect(outcome(choosing({ Variable: '$.gone', StringEquals: 'a' }), {})).toEqual(failing('States.Runtime'));
  });

  test('without a match and a Default fails with States.NoChoiceMatched', () => {
    const definition = choosing({ Variable: '$.value', StringEquals: 'a' }, { Default: undefined });
    expect(outcome(definition, { value: 'b' })).toEqual(failing('States.NoChoiceMatched'));
  });
});

const REFUSED: readonly [what: string, definition: JsonObject, message: RegExp][] = [
  [
    'JSONata',
    { ...only({ Type: 'Pass' }), QueryLanguage: 'JSONata' },
    /QueryLanguage: the local cloud has only JSONPath/,
  ],
  ['Assign', only({ Type: 'Pass', Assign: { a: 1 } }), /State "Only": Assign: the local cloud does not have it/],
  ['Output', only({ Type: 'Pass', Output: '{% 1 %}' }), /State "Only": Output: /],
  ['an activity', only(task({ Resource: 'arn:aws:states:us-east-1:0:activity:a' })), /State "Only": Resource: /],
  ['another integration', only(task({ Resource: 'arn:aws:states:::events:putEvents' })), /State "Only": Resource: /],
  [
    'an Event invocation',
    only(task({ Parameters: { FunctionName: 'f', InvocationType: 'Event' } })),
    /Parameters\.InvocationType/,
  ],
  [
    'a distributed Map',
    only({
      Type: 'Map',
      ItemProcessor: { ...only({ Type: 'Pass' }), ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    }),
    /ProcessorConfig/,
  ],
  [
    'ToleratedFailureCount',
    only({
      Type: 'Map',
      ToleratedFailureCount: 1,
      ItemProcessor: { StartAt: 'P', States: { P: { Type: 'Succeed' } } },
    }),
    /State "Only": ToleratedFailureCount: the local cloud does not have it/,
  ],
  [
    'an unknown field deep inside',
    only({ Type: 'Map', ItemProcessor: { StartAt: 'Deep', States: { Deep: { Type: 'Pass', End: true, Odd: 1 } } } }),
    /State "Deep": Odd: /,
  ],
  ['a missing next state', { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' } } }, /there is no state "B"/],
  ['a missing start', { StartAt: 'B', States: { A: { Type: 'Succeed' } } }, /StartAt names no state/],
  ['no end', { StartAt: 'A', States: { A: { Type: 'Pass' } } }, /either Next or End/],
  [
    'States.ALL before others',
    only(task({ Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['Other'] }] })),
    /States\.ALL must stand alone/,
  ],
  ['InputPath', only({ Type: 'Pass', InputPath: '$.a' }), /State "Only": InputPath: the local cloud does not have it/],
  ['a heartbeat', only(task({ HeartbeatSeconds: 1 })), /State "Only": HeartbeatSeconds: the local cloud does not have/],
  [
    'another comparison',
    { StartAt: 'C', States: { C: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'C' }] } } },
    /State "C": Choices\.0: the local cloud does not have the comparison NumericEquals/,
  ],
  ['a Fail', { StartAt: 'F', States: { F: { Type: 'Fail' } } }, /Type: the local cloud does not have "Fail"/],
  ['a Parallel', only({ Type: 'Parallel', Branches: [] }), /Type: the local cloud does not have "Parallel"/],
  ['a Wait', only({ Type: 'Wait', Seconds: 1 }), /Type: the local cloud does not have "Wait"/],
  [
    'an intrinsic function',
    only({ Type: 'Pass', Parameters: { 'id.$': 'States.UUID()' } }),
    /State "Only": Parameters: .*States\.UUID\(\)/,
  ],
  ['an unknown type', only({ Type: 'Activity' }), /Type: the local cloud does not have "Activity"/],
];

describe('a definition', () => {
  test.each(REFUSED)('with %s is refused with the state and the field', (_what, definition, message) => {
    expect(() => parseDefinition(JSON.stringify(definition))).toThrow(message);
  });
});
