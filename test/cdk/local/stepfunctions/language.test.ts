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

const CALLS: readonly [call: string, value: Json][] = [
  ["States.Format('Hello {}, {}', $.name, 3)", 'Hello Ann, 3'],
  [String.raw`States.Format('\{\} it\'s {}', $.list)`, "{} it's [1,2,2]"],
  ['States.JsonToString($.object)', '{"a":1,"b":{"c":2}}'],
  ['States.StringToJson($.json)', { x: [1] }],
  ["States.Array('a', 1, null, true, $.name)", ['a', 1, null, true, 'Ann']],
  ['States.ArrayPartition($.list, 2)', [[1, 2], [2]]],
  ['States.ArrayContains($.list, 2)', true],
  ['States.ArrayContains($.list, 9)', false],
  ['States.ArrayRange(1, 9, 2)', [1, 3, 5, 7, 9]],
  ['States.ArrayRange(5, 1, -2)', [5, 3, 1]],
  ['States.ArrayGetItem($.list, 1)', 2],
  ['States.ArrayLength($.list)', 3],
  ['States.ArrayUnique($.list)', [1, 2]],
  ["States.Base64Encode('Data')", 'RGF0YQ=='],
  ["States.Base64Decode('RGF0YQ==')", 'Data'],
  ["States.Hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
  ['States.JsonMerge($.object, $.other, false)', { a: 1, b: { d: 3 }, e: 4 }],
  ['States.MathAdd($.list[0], -4)', -3],
  ["States.StringSplit('1,2;3', ',;')", ['1', '2', '3']],
  ['States.UUID()', 'id-1'],
  ["States.Format('{}', States.ArrayLength(States.Array(1, States.MathAdd(1, 2))))", '2'],
  ["States.Format('{}', $['name'])", 'Ann'],
];
const SUBJECT = {
  name: 'Ann',
  list: [1, 2, 2],
  json: '{"x":[1]}',
  object: { a: 1, b: { c: 2 } },
  other: { b: { d: 3 }, e: 4 },
};

describe('an intrinsic function', () => {
  test.each(CALLS)('%s', (call, value) => {
    expect(outcome(only({ Type: 'Pass', Parameters: { 'value.$': call } }), SUBJECT)).toEqual({ value });
  });

  test.each([
    ["States.StringToJson('{')"],
    ["States.Format('{} {}', 1)"],
    ['States.ArrayGetItem($.list, 9)'],
    ['States.MathAdd($.name, 1)'],
    ["States.Hash('a', 'CRC')"],
    ['States.JsonMerge($.object, $.other, true)'],
  ])('%s fails the state with States.IntrinsicFailure', (call) => {
    expect(outcome(only({ Type: 'Pass', Parameters: { 'value.$': call } }), SUBJECT)).toEqual(
      failing('States.IntrinsicFailure'),
    );
  });

  test.each([['States.Nothing()'], ['States.Format('], ["States.Format('{}' 1)"], ['States.UUID() x']])(
    '%s is refused at the start',
    (call) => {
      const definition = JSON.stringify(only({ Type: 'Pass', Parameters: { 'value.$': call } }));
      expect(() => parseDefinition(definition)).toThrow(/^State "Only": Parameters: /);
    },
  );
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
    only({ Type: 'Parallel', Branches: [{ StartAt: 'Deep', States: { Deep: { Type: 'Pass', End: true, Odd: 1 } } }] }),
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
  ['two kinds of waiting', only({ Type: 'Wait', Seconds: 1, SecondsPath: '$.s' }), /exactly one of Seconds/],
  ['an unknown type', only({ Type: 'Activity' }), /Type: the local cloud does not support "Activity"/],
];

describe('a definition', () => {
  test.each(REFUSED)('with %s is refused with the state and the field', (_what, definition, message) => {
    expect(() => parseDefinition(JSON.stringify(definition))).toThrow(message);
  });
});
