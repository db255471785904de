import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../../../cdk/local/cloudwatch/metric-math.ts';

const value = (expression: string, ...values: (number | undefined)[]) =>
  parseExpression(expression)(new Map(values.map((one, at) => [`m${at}`, one])));

describe('an expression', () => {
  it('adds and compares all metrics, after it has filled those without data', () => {
    expect(value('SUM(FILL(METRICS(), 0))', 1, undefined, 4)).toBe(5);
    expect(value('SUM(FILL(METRICS(),0.5))', 1, undefined)).toBe(1.5);
    expect(value('MAX(FILL(METRICS(), 0))', -1, undefined)).toBe(0);
    expect(value('MAX(FILL(METRICS(), 0))', 1, 3)).toBe(3);
    expect(value('SUM(FILL(METRICS(), 0))')).toBeUndefined();
  });

  it.each([
    'SUM(METRICS())',
    'a + b',
    'FILL(a, 0)',
    'AVG(FILL(METRICS(), 0))',
    'SUM(FILL(METRICS(), REPEAT))',
    'SUM(FILL(METRICS(), -1))',
    'SUM(FILL(METRICS(), 0)) / 2',
    '',
  ])('that is %s is refused by its text', (expression) => {
    expect(() => parseExpression(expression)).toThrow(`cannot evaluate the expression "${expression}"`);
  });
});
