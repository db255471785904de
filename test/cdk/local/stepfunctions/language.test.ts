import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../cdk/local/endpoint/json.ts';
import { parseDefinition } from '../../../../cdk/local/stepfunctions/language/definition.ts';
import { only, ran, task } from '../../../support/state-machine.ts';

const outcome = (definition: JsonObject, input: Json) => {
  const { status, output, error } = ran(definition, { input }).execution;
  return status === 'SUCCEEDED' ? output : { status, error };
};
const failing = (error: string) => ({ status: 'FAILED', error });

const store = {
  store: {
    book: [
      { price: 8, title: 'a' },
      { price: 12, title: 'b' },
    ],
    bicycle: { price: 19 },
  },
};
const PATHS: readonly [path: string, value: Json][] = [
  ['$', store],
  ['$.store.book[0].title', 'a'],
  ["$['store']['bicycle'].price", 19],
  ['$.store.book[-1].title', 'b'],
  ['$.store.book[*].price', [8, 12]],
  ['$.store.book[1:].title', ['b']],
  ['$.store.book[0:1].title', ['a']],
  ['$..price', [19, 8, 12]],
  ['$..nothing', []],
  ['$$.Execution.Name', 'run'],
  ['$$.State.Name', 'Only'],
  ['$$.StateMachine.Name', 'machine'],
];

describe('a path', () => {
  test.each(PATHS)('%s selects what the specification says', (path, value) => {
    const found = outcome(only({ Type: 'Pass', Parameters: { 'found.$': path } }), store) as { found: Json };
    const sorted = (json: Json) =>
      path === '$..price' && Array.isArray(json) ? json.toSorted((a, b) => Number(a) - Number(b)) : json;
    expect(sorted(found.found)).toEqual(sorted(value));
  });

  test.each(['$.a[?(@.b)]', '$.a.length()', 'a', '$.', '$.a b', '$.a[0,1]'])('%s is refused at the start', (path) => {
    expect(() => parseDefinition(JSON.stringify(only({ Type: 'Pass', InputPath: path })))).toThrow(
      /^State "Only": InputPath: /,
    );
  });
});

const COMPARISONS: readonly [rule: JsonObject, value: Json, holds: boolean][] = [
  [{ StringEquals: 'a' }, 'a', true],
  [{ StringEquals: 'a' }, 1, false],
  [{ StringLessThan: 'b' }, 'a', true],
  [{ StringGreaterThanEquals: 'b' }, 'b', true],
  [{ StringMatches: 'log-*.txt' }, 'log-1.txt', true],
  [{ StringMatches: String.raw`a\*` }, 'ab', false],
  [{ StringEqualsPath: '$.other' }, 'other', true],
  [{ NumericEquals: 1 }, 1, true],
  [{ NumericEquals: 1 }, '1', false],
  [{ NumericGreaterThan: 1 }, 1, false],
  [{ NumericLessThanEquals: 1 }, 1, true],
  [{ NumericLessThanPath: '$.five' }, 4, true],
  [{ BooleanEquals: true }, true, true],
  [{ BooleanEquals: true }, 'true', false],
  [{ TimestampLessThan: '2026-01-02T00:00:00Z' }, '2026-01-02T00:30:00+01:00', true],
  [{ TimestampEquals: '2026-01-02T00:00:00Z' }, 'today', false],
  [{ IsNull: true }, null, true],
  [{ IsNull: false }, 1, true],
  [{ IsString: true }, 'a', true],
  [{ IsNumeric: true }, 'a', false],
  [{ IsBoolean: true }, false, true],
  [{ IsTimestamp: true }, '2026-01-02T00:00:00Z', true],
  [{ IsPresent: true }, null, true],
];

describe('a Choice', () => {
  const choosing = (rule: JsonObject, fallback: JsonObject = { Default: 'No' }): JsonObject => ({
    StartAt: 'Choose',
    States: {
      Choose: { Type: 'Choice', Choices: [{ ...rule, Next: 'Yes' }], ...fallback },
      Yes: { Type: 'Pass', Result: true, End: true },
      No: { Type: 'Pass', Result: false, End: true },
    },
  });

  test.each(COMPARISONS)('by %j of %j is %s', (rule, value, holds) => {
    const input = { value, other: 'other', five: 5 };
    expect(outcome(choosing({ Variable: '$.value', ...rule }), input)).toBe(holds);
    expect(outcome(choosing({ Not: { Variable: '$.value', ...rule } }), input)).toBe(!holds);
  });

  test('combines rules with And and Or', () => {
    const [yes, no] = [1, 2].map((number) => ({ Variable: '$.value', NumericEquals: number }));
    const input = { value: 1 };
    expect(outcome(choosing({ And: [yes, no] as Json[] }), input)).toBe(false);
    expect(outcome(choosing({ Or: [yes, no] as Json[] }), input)).toBe(true);
  });

  test('knows a missing variable only by IsPresent', () => {
    expect(outcome(choosing({ Variable: '$.gone', IsPresent: false }), {})).toBe(true);
    expect(outcome(choosing({ Variable: '$.gone', IsNull: true }), {})).toEqual(failing('States.Runtime'));
  });

  test('without a match and a Default fails with States.NoChoiceMatched', () => {
    const definition = choosing({ Variable: '$.value', IsNull: true }, { Default: undefined });
    expect(outcome(definition, { value: 1 })).toEqual(failing('States.NoChoiceMatched'));
  });
});

const REFUSED: readonly [what: string, definition: JsonObject, message: RegExp][] = [
  [
    'JSONata',
    { ...only({ Type: 'Pass' }), QueryLanguage: 'JSONata' },
    /QueryLanguage: the local cloud supports JSONPath only/,
  ],
  ['Assign', only({ Type: 'Pass', Assign: { a: 1 } }), /State "Only": Assign: the local cloud does not support it/],
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
    /State "Only": ToleratedFailureCount: the local cloud does not support it/,
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
  ['two timeouts', only(task({ TimeoutSeconds: 1, TimeoutSecondsPath: '$.s' })), /at most one of TimeoutSeconds/],
  ['a Parallel', only({ Type: 'Parallel', Branches: [] }), /Type: the local cloud does not support "Parallel"/],
  ['a Wait', only({ Type: 'Wait', Seconds: 1 }), /Type: the local cloud does not support "Wait"/],
  [
    'an intrinsic function',
    only({ Type: 'Pass', Parameters: { 'id.$': 'States.UUID()' } }),
    /State "Only": Parameters: .*States\.UUID\(\)/,
  ],
  ['an unknown type', only({ Type: 'Activity' }), /Type: the local cloud does not support "Activity"/],
];

describe('a definition', () => {
  test.each(REFUSED)('with %s is refused with the state and the field', (_what, definition, message) => {
    expect(() => parseDefinition(JSON.stringify(definition))).toThrow(message);
  });
});
