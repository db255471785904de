import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../../../cdk/local/cloudwatch/metric-math.ts';

const IDS = ['a', 'b', 'c'];

function value(expression: string, a?: number, b?: number, c?: number) {
  return parseExpression(
    expression,
    IDS,
  )(
    new Map([
      ['a', a],
      ['b', b],
      ['c', c],
    ]),
  );
}

describe('an expression', () => {
  it('adds and compares what is there of all metrics', () => {
    expect(value('SUM(METRICS())', 1, undefined, 4)).toBe(5);
    expect(value('MAX(METRICS())', 1, undefined, -4)).toBe(1);
    expect(value('SUM(METRICS())')).toBeUndefined();
    expect(value('MAX(METRICS())')).toBeUndefined();
  });

  it('gives no sum of metrics of which one is missing, unless it is filled', () => {
    expect(value('a+b', 1, 2)).toBe(3);
    expect(value('a + b', 1)).toBeUndefined();
    expect(value('FILL(a, 0) + FILL(b, 0) + FILL(c, 0.5)', 1)).toBe(1.5);
    expect(value('FILL(a + b, 7)', 1)).toBe(7);
  });

  it('fills before it adds or compares', () => {
    expect(value('MAX(FILL(METRICS(), 0))', -1)).toBe(0);
    expect(value('SUM(FILL(METRICS(),0))')).toBe(0);
    expect(value('FILL(SUM(METRICS()), 0)')).toBe(0);
  });

  it.each([
    'a / b',
    'a - b',
    'AVG(METRICS())',
    'SUM(METRICS("errors"))',
    'SUM([a, b])',
    'SUM(a)',
    'FILL(METRICS(), 0)',
    'METRICS()',
    'FILL(a, REPEAT)',
    'FILL(a, -1)',
    'IF(a > 1, 1, 0)',
    'd',
    'a b',
    'a +',
    'SUM(METRICS()',
    '',
  ])('that is %s is refused by name', (expression) => {
    expect(() => parseExpression(expression, IDS)).toThrow(`cannot evaluate the expression "${expression}"`);
  });
});
