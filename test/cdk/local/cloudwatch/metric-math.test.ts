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

  it('is a metric where another one exceeds a number, or a share of a third one, and else 0', () => {
    expect(value('IF(m0 > 0.1 * m1, m0, 0)', 11, 100)).toBe(11);
    expect(value('IF(m0 > 0.1 * m1, m0, 0)', 10, 100)).toBe(0);
    expect(value('IF(m0 > 1000, m1, 0)', 1001, 7)).toBe(7);
    expect(value('IF(m0 > 1000, m1, 0)', 1000, 7)).toBe(0);
    expect(value('IF(m0 > 0.1 * m1, m0, 0)', undefined, 100)).toBeUndefined();
    expect(value('IF(m0 > 0.1 * m1, m0, 0)', 11, undefined)).toBeUndefined();
  });

  it.each([
    'SUM(METRICS())',
    'IF(m0 > 1, m0)',
    'IF(m0 >= 1, m0, 0)',
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
