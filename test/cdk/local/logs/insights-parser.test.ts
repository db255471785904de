import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../../cdk/local/logs/insights/parser.ts';
import type { Aggregation, Command, Condition, Grouping, Operand } from '../../../../cdk/local/logs/insights/query.ts';
import { MalformedQuery } from '../../../../cdk/local/logs/insights/tokens.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

const KEYWORDS = /^(?:and|or|in|like|by|as|asc|desc|bin|count|pct)$/i;
const field = fc
  .oneof(
    fc.stringMatching(/^[a-zA-Z_]\w{0,8}(?:\.\w{1,5})?$/),
    fc.constantFrom('@timestamp', '@message', '@log', 'error.name', 'values.0'),
  )
  .filter((name) => !KEYWORDS.test(name));
const operand: fc.Arbitrary<Operand> = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.integer().map((number) => number / 8),
);
const few = <Part>(part: fc.Arbitrary<Part>) => fc.array(part, { minLength: 1, maxLength: 3 });

const { condition } = fc.letrec<{ condition: Condition; leaf: Condition; joined: Condition }>((tie) => ({
  condition: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('joined')),
  leaf: fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      field,
      comparison: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
      operand,
    }),
    fc.record({ kind: fc.constant('in' as const), field, operands: few(operand) }),
    fc.record({
      kind: fc.constant('like' as const),
      field,
      pattern: fc.constantFrom(/^5/, /a\/b/, /(x|y)+\d{2}/, /"quoted"/),
    }),
  ),
  joined: fc.record({
    kind: fc.constantFrom('and' as const, 'or' as const),
    conditions: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
  }),
}));
const grouping: fc.Arbitrary<Grouping> = fc.oneof(
  field.map((label) => ({ kind: 'field' as const, label })),
  fc.constantFrom(
    { kind: 'bin' as const, millis: 60_000, label: 'bin(1m)' },
    { kind: 'bin' as const, millis: 7_200_000, label: 'bin(2h)' },
  ),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('fields' as const), fields: few(field) }),
  fc.record({ kind: fc.constant('filter' as const), condition }),
  fc.record({
    kind: fc.constant('sort' as const),
    keys: few(fc.record({ field, isDescending: fc.boolean() })),
  }),
  fc.record({ kind: fc.constant('limit' as const), count: fc.integer({ min: 1, max: 10_000 }) }),
);
const stats: fc.Arbitrary<Command> = fc.record({
  kind: fc.constant('stats' as const),
  aggregations: few(
    fc.oneof(
      fc.constant({ kind: 'count' as const, label: 'count(*)' }),
      field.map((label) => ({ kind: 'count' as const, label })),
      field.map((of) => ({ kind: 'sum' as const, field: of, label: `sum(${of})` })),
      fc.tuple(field, fc.integer({ min: 0, max: 100 }), fc.option(field)).map(([of, percent, alias]) => ({
        kind: 'pct' as const,
        field: of,
        percent,
        label: alias ?? `pct(${of}, ${percent})`,
      })),
    ),
  ),
  by: fc.array(grouping, { maxLength: 3 }),
});
const query = fc
  .tuple(fc.array(command, { maxLength: 4 }), fc.option(stats))
  .map(([commands, last]) => [...commands, ...(last ? [last] : [])]);

const writtenOperand = (value: Operand) =>
  typeof value === 'number' ? String(value) : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

function writtenCondition(one: Condition): string {
  switch (one.kind) {
    case 'compare':
      return `${one.field} ${one.comparison} ${writtenOperand(one.operand)}`;
    case 'in':
      return `${one.field} in [${one.operands.map(writtenOperand).join(', ')}]`;
    case 'like':
      return `${one.field} like /${one.pattern.source}/`;
    default:
      return one.conditions.map((part) => `(${writtenCondition(part)})`).join(` ${one.kind} `);
  }
}

function writtenCall(one: Aggregation): string {
  if (one.kind === 'count') return 'count(*)';
  return one.kind === 'sum' ? `sum(${one.field})` : `pct(${one.field}, ${one.percent})`;
}

function written(one: Command): string {
  switch (one.kind) {
    case 'fields':
      return `fields ${one.fields.join(', ')}`;
    case 'filter':
      return `filter ${writtenCondition(one.condition)}`;
    case 'sort':
      return `sort ${one.keys.map((key) => `${key.field} ${key.isDescending ? 'desc' : 'asc'}`).join(',')}`;
    case 'limit':
      return `limit ${one.count}`;
    default: {
      const aggregations = one.aggregations.map((part) => {
        const call = writtenCall(part);
        return part.label === call ? call : `${call} as ${part.label}`;
      });
      const by = one.by.map(({ label }) => label).join(', ');
      return `stats ${aggregations.join(', ')}${by === '' ? '' : ` by ${by}`}`;
    }
  }
}

describe('the parser of Logs Insights queries', () => {
  it('reads every query of its grammar as what it was written from', () => {
    fc.assert(
      fc.property(
        query.filter((commands) => commands.length > 0),
        fc.constantFrom('|', ' | ', '\n| '),
        (commands, bar) => {
          expect(parseQuery(commands.map(written).join(bar))).toEqual(commands);
        },
      ),
      { numRuns: isThorough ? 5000 : 200 },
    );
  });

  it('refuses everything else with a reason, and with no other error', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'filter',
        'stats',
        'by',
        '|',
        '(',
        ')',
        '[',
        'like',
        '/',
        '"',
        '=',
        'count(*)',
        'bin(5m)',
        'limit',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        try {
          parseQuery(parts.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedQuery);
        }
      }),
      { numRuns: isThorough ? 10_000 : 300 },
    );
  });

  it.each([
    ['', 'expected one of the commands fields, filter, stats, sort, limit, and got the end (at character 1)'],
    ['parse @message "a*"', 'expected one of the commands fields, filter, stats, sort, limit, and got parse'],
    ['stats avg(a)', 'expected count(*), sum(field) or pct(field, percent), and got avg'],
    ['filter a == 1', 'expected a text in quotes or a number'],
    ['filter a = b', 'expected a text in quotes or a number'],
    ['filter a like /(/', 'the pattern is not valid'],
    ['filter not a = 1', 'expected a comparison, like or in, and got a'],
    ['stats count(*) by bin(5x)', 'expected a period such as 5m'],
    ['sort a', 'expected asc or desc, and got the end'],
    ['limit 10001', 'the limit is a whole number up to 10000'],
    ['limit 2.5', 'the limit is a whole number up to 10000'],
    ['fields a; fields b', 'unexpected character (at character 9)'],
    ['stats count(*) by a | sort @message desc', 'no @message is left after stats'],
    ['filter a = 1 | sum(a)', 'expected one of the commands'],
    ['stats count(*) | stats count(*)', 'one stats in a query'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseQuery(text)).toThrow(reason);
  });
});
