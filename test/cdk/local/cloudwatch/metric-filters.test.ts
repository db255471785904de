import { describe, expect, it } from 'vitest';
import { parsePattern } from '../../../../cdk/local/cloudwatch/filter-pattern.ts';
import { metricFilterResources } from '../../../../cdk/local/cloudwatch/metric-filter-resources.ts';
import { MetricStore } from '../../../../cdk/local/cloudwatch/metric-store.ts';
import { FunctionLogs } from '../../../../cdk/local/lambda/function-log.ts';
import { LogGroups } from '../../../../cdk/local/logs/log-groups.ts';

const FAILED = '{ ($.type = "platform.report") && ($.record.status != "success") }';
const report = (status?: string) => ({ type: 'platform.report', record: { ...(status && { status }) } });

describe('a filter pattern', () => {
  it('matches lines whose fields are, or are not, a text, and no line without the field', () => {
    const matches = parsePattern(FAILED);
    expect([report('error'), report('timeout'), report('success'), report(), {}].map(matches)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(matches({ ...report('error'), type: 'platform.start' })).toBe(false);
    expect(parsePattern('{ $.status = "429" }')({ status: 429 })).toBe(true);
  });

  it.each(['ERROR', '{ $.a > 1 }', '{ $.a = "x*" }', '{ ($.a = "x") || ($.b = "y") }', '{ $.a IS NULL }'])(
    'of another kind is refused: %s',
    (text) => {
      expect(() => parsePattern(text)).toThrow('cannot evaluate the filter pattern');
    },
  );
});

it('a metric filter counts the lines of its log group, and of no other', () => {
  const store = new MetricStore(() => new Date(90_000));
  const logs = new FunctionLogs({ folder: null, metrics: store, groups: new LogGroups(() => new Date()) });
  const { types } = metricFilterResources(logs);
  const properties = {
    FilterPattern: FAILED,
    LogGroupName: 'group-a',
    MetricTransformations: [{ MetricNamespace: 'Service', MetricName: 'Errors', MetricValue: '1' }],
  };
  const resource = { type: 'AWS::Logs::MetricFilter', path: 'a', logicalId: 'A', stackName: 's', properties };
  void types['AWS::Logs::MetricFilter']?.({ ...resource, assetFolder: String } as never);
  for (const [name, logGroup, status] of [
    ['One', 'group-a', 'error'],
    ['One', 'group-a', 'success'],
    ['Two', 'group-a', 'timeout'],
    ['Three', 'group-b', 'error'],
    ['Four', undefined, 'error'],
  ] as const) {
    logs.print({ name, logGroup }, { level: 'WARN', text: JSON.stringify(report(status)) });
  }
  logs.print({ name: 'One', logGroup: 'group-a' }, { level: 'INFO', text: 'platform.report error' });
  const metric = { namespace: 'Service', name: 'Errors', dimensions: {} };
  expect(store.samples(metric, 60_000, 120_000)).toMatchObject({ sum: 2, count: 2 });
});
