import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import type { AlarmRule } from '../../../../cdk/local/cloudwatch/alarm-rule.ts';
import { type AlarmDefinition, Alarms } from '../../../../cdk/local/cloudwatch/alarms.ts';
import type { Statistic } from '../../../../cdk/local/cloudwatch/metric.ts';
import { parseExpression } from '../../../../cdk/local/cloudwatch/metric-math.ts';
import { MetricStore } from '../../../../cdk/local/cloudwatch/metric-store.ts';

// Between two multiples of five minutes: windows must slide.
const START = Date.UTC(2026, 0, 1, 12, 2);
const MINUTE = 60_000;
const metric = (name: string) => ({ namespace: 'Test', name, dimensions: {} });

let clock: Clock;
let store: MetricStore;
let alarms: Alarms;
let reported: string[];
let measured: Date[];

beforeEach(() => {
  clock = new Clock(() => START);
  reported = [];
  measured = [];
  store = new MetricStore(clock.now);
  alarms = new Alarms({
    store,
    measure: (at) => measured.push(at),
    clock,
    report: (line) => reported.push(line),
  });
});
afterEach(() => alarms.stop());

interface Changes extends Partial<AlarmRule> {
  readonly statistic?: Statistic;
  readonly minutes?: number;
  readonly expression?: string;
  readonly description?: string;
}

function add({ statistic = 'Sum', minutes = 5, expression, description, ...rule }: Changes = {}) {
  const definition: AlarmDefinition = {
    name: 'stack-Errors-1',
    arn: 'arn:alarm',
    path: 'stack/Errors',
    title: 'stack/Errors',
    description,
    rule: {
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      threshold: 2,
      comparison: 'GreaterThanThreshold',
      treatMissingData: 'notBreaching',
      ...rule,
    },
    periodSeconds: minutes * 60,
    metrics: new Map(['a', 'b'].map((id) => [id, { metric: metric(id), statistic }])),
    value: expression === undefined ? (values) => values.get('a') : parseExpression(expression),
    shown: {},
  };
  alarms.add(definition);
}

function state(afterMinutes = 0) {
  clock.advance(afterMinutes * MINUTE);
  alarms.evaluate();
  return alarms.views()[0]?.state;
}

describe('an alarm', () => {
  it('has no data before its first evaluation, and never reports a first OK', () => {
    add();
    expect(alarms.views()).toMatchObject([{ state: 'INSUFFICIENT_DATA', path: 'stack/Errors' }]);
    expect(state()).toBe('OK');
    expect(reported).toEqual([]);
  });

  it('adds up the last five minutes, wherever the clock stands', () => {
    add();
    store.put(metric('a'), 2);
    expect(state()).toBe('OK');
    clock.advance(4 * MINUTE);
    store.put(metric('a'), 1);
    expect(state()).toBe('ALARM');
  });

  it('is over when the window has slid past the data that breached', () => {
    add();
    store.put(metric('a'), 3);
    expect(state()).toBe('ALARM');
    // A data point that is there: the alarm need not look further back.
    clock.advance(5 * MINUTE);
    store.put(metric('a'), 0);
    expect(state()).toBe('OK');
  });

  it('looks back two periods when nothing comes after the data that breached', () => {
    add();
    store.put(metric('a'), 3);
    expect([state(), state(14), state(1)]).toEqual(['ALARM', 'ALARM', 'OK']);
  });

  it.each([
    ['Sum', 6],
    ['Average', 2],
    ['Minimum', 1],
    ['Maximum', 3],
    ['SampleCount', 3],
  ] as const)('compares %s', (statistic, value) => {
    add({ statistic, threshold: value, comparison: 'GreaterThanOrEqualToThreshold' });
    for (const one of [1, 2, 3]) store.put(metric('a'), one);
    expect(state()).toBe('ALARM');
    expect(alarms.views()[0]?.reason).toContain(`[${value} (`);
  });

  it('compares the result of an expression over several metrics', () => {
    add({ expression: 'SUM(FILL(METRICS(), 0))', minutes: 1 });
    store.put(metric('a'), 2);
    expect(state()).toBe('OK');
    store.put(metric('b'), 1);
    expect(state()).toBe('ALARM');
  });

  it('needs as many bad periods as it says', () => {
    add({ evaluationPeriods: 3, datapointsToAlarm: 2, minutes: 1 });
    for (const [value, expected] of [
      [3, 'OK'],
      [0, 'OK'],
      [3, 'ALARM'],
      [0, 'OK'],
    ] as const) {
      store.put(metric('a'), value);
      expect(state()).toBe(expected);
      clock.advance(MINUTE);
    }
  });

  it('on missing data fires when a whole window has none, and not because the cloud has just started', () => {
    add({ treatMissingData: 'breaching' });
    expect([state(), state(3), state(1)]).toEqual(['INSUFFICIENT_DATA', 'INSUFFICIENT_DATA', 'ALARM']);
    store.put(metric('a'), 0);
    expect(state()).toBe('OK');
  });

  it('reports that it fires, with its description, and that it is over', () => {
    add({ description: 'Customers wait.', minutes: 1 });
    store.put(metric('a'), 3);
    state();
    state();
    state(3);
    expect(reported).toEqual(['ALARM stack/Errors: Customers wait.', 'OK stack/Errors']);
  });

  it('may be set by hand until the next evaluation', () => {
    add();
    expect(alarms.set('stack-Errors-1', 'ALARM', 'a drill')).toBe(true);
    expect(alarms.views()).toMatchObject([{ state: 'ALARM', reason: 'a drill' }]);
    expect(state()).toBe('OK');
    expect(reported).toHaveLength(2);
    expect(alarms.set('another', 'ALARM', 'a drill')).toBe(false);
  });

  it('has a name of its own', () => {
    add();
    expect(() => add()).toThrow('Two alarms are named stack-Errors-1.');
  });
});

describe('the clock', () => {
  it('has all alarms evaluated at the end of every minute, for the minute that ended', () => {
    add({ minutes: 1 });
    alarms.start();
    store.put(metric('a'), 3);
    clock.advance(MINUTE - 1);
    expect(measured).toEqual([]);
    clock.advance(1);
    expect(measured).toEqual([new Date(START + MINUTE - 1)]);
    expect(alarms.views()[0]?.state).toBe('ALARM');
  });
});
