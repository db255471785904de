import { describe, expect, it } from 'vitest';
import { type AlarmRule, type AlarmState, rangeOf, verdictOn } from '../../../../cdk/local/cloudwatch/alarm-rule.ts';

const ALL = { evaluationPeriods: 3, datapointsToAlarm: 3 };
const TWO_OF_THREE = { evaluationPeriods: 3, datapointsToAlarm: 2 };

/** `0 - X`: good, missing and breaching data points, oldest first. */
function verdict(points: string, rule: Partial<AlarmRule>) {
  const values = points.split(' ').map((point) => (point === '-' ? undefined : Number(point === 'X')));
  return verdictOn(
    values.map((value, i) => ({ at: new Date(i * 60_000), value })),
    { ...ALL, threshold: 0, comparison: 'GreaterThanThreshold', treatMissingData: 'missing', ...rule },
  );
}

const TREATMENTS = ['missing', 'ignore', 'breaching', 'notBreaching'] as const;
const [NONE, OK, ALARM, KEPT] = ['INSUFFICIENT_DATA', 'OK', 'ALARM', 'unchanged'] as const;

describe('an alarm that needs three data points of three', () => {
  it.each<[string, (AlarmState | 'unchanged')[]]>([
    ['0 - X - X', [OK, OK, OK, OK]],
    ['0 - - - -', [OK, OK, OK, OK]],
    ['- - - - -', [NONE, KEPT, ALARM, OK]],
    ['0 X X - X', [ALARM, ALARM, ALARM, ALARM]],
    ['- - X - -', [ALARM, KEPT, ALARM, OK]],
    ['- - - X -', [OK, KEPT, ALARM, OK]],
    ['- - - - X', [OK, KEPT, ALARM, OK]],
    ['X X X X 0', [OK, OK, OK, OK]],
    ['0 0 X X X', [ALARM, ALARM, ALARM, ALARM]],
  ])('decides on %s by the treatment of missing data', (points, expected) => {
    expect(TREATMENTS.map((treatMissingData) => verdict(points, { treatMissingData }).state)).toEqual(expected);
  });
});

describe('an alarm that needs two data points of three', () => {
  it.each<[string, (AlarmState | 'unchanged')[]]>([
    ['0 - X - X', [ALARM, ALARM, ALARM, ALARM]],
    ['0 0 X 0 X', [ALARM, ALARM, ALARM, ALARM]],
    ['0 - X - -', [OK, OK, ALARM, OK]],
    ['- - - - 0', [OK, OK, ALARM, OK]],
    ['- - - X -', [ALARM, KEPT, ALARM, OK]],
    ['- - - - X', [OK, KEPT, ALARM, OK]],
    ['X X 0 X 0', [OK, OK, OK, OK]],
  ])('decides on %s by the treatment of missing data', (points, expected) => {
    const states = TREATMENTS.map((treatMissingData) => verdict(points, { ...TWO_OF_THREE, treatMissingData }).state);
    expect(states).toEqual(expected);
  });
});

describe('an alarm on a single data point', () => {
  it('looks two periods further back before it applies the rule for missing data', () => {
    const rule = { evaluationPeriods: 1, datapointsToAlarm: 1, treatMissingData: 'notBreaching' } as const;
    expect(rangeOf(rule)).toBe(3);
    expect(verdict('X - -', rule).state).toBe('ALARM');
    expect(verdict('- - -', rule).state).toBe('OK');
  });
});

describe('a threshold', () => {
  const one = { evaluationPeriods: 1, datapointsToAlarm: 1, threshold: 1 };

  it.each([
    ['GreaterThanThreshold', ['OK', 'OK', 'ALARM']],
    ['GreaterThanOrEqualToThreshold', ['OK', 'ALARM', 'ALARM']],
    ['LessThanThreshold', ['ALARM', 'OK', 'OK']],
    ['LessThanOrEqualToThreshold', ['ALARM', 'ALARM', 'OK']],
  ] as const)('is compared by %s', (comparison, expected) => {
    const rule = { ...one, comparison, treatMissingData: 'missing' } as const;
    expect([0, 1, 2].map((value) => verdictOn([{ at: new Date(0), value }], rule).state)).toEqual(expected);
  });

  it('is in the reason, with the values that crossed it and the treatment of missing data', () => {
    expect(verdict('- - X - 0', { ...TWO_OF_THREE, treatMissingData: 'breaching' }).reason).toBe(
      'Threshold: 1 of the last 3 datapoints [1 (1970-01-01T00:02:00.000Z)] were greater than the threshold (0); ' +
        '2 such datapoints make an alarm. 1 missing datapoints were treated as breaching.',
    );
  });
});
