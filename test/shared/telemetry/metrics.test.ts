import type { Context } from 'aws-lambda';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { metricScope, scopeVariables } from '../../../shared/telemetry/metric-scope.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const lines = loggedLines();
const scope = metricScope('test', 'webhooks');
const context = { awsRequestId: 'invocation-1' } as Context;

// As the function would find it when it loads.
for (const [name, value] of Object.entries(scopeVariables(scope))) vi.stubEnv(name, value);
const { count, countFault } = await import('../../../shared/telemetry/faults.ts');
const { metric } = await import('../../../shared/telemetry/metrics.ts');
const { invocation } = await import('../../../shared/invocation.ts');
afterAll(() => void vi.unstubAllEnvs());

const { namespace, dimensions } = scope;
const service = Object.keys(dimensions);
const now = Date.now();

describe('a metric', () => {
  it('is one line of the log, with the dimensions that alarms are made with, and its own', () => {
    const values = { Tries: { value: 2, unit: 'Count' }, Took: { value: 7, unit: 'Milliseconds' } } as const;
    metric('tried', { dimensions: { outcome: 'ok' }, values, facts: { tenant: 'acme', gone: undefined } }, now);
    expect(lines()).toEqual([
      {
        level: 'INFO',
        message: 'tried',
        timestamp: new Date(now).toISOString(),
        tenant: 'acme',
        outcome: 'ok',
        ...dimensions,
        Tries: 2,
        Took: 7,
        _aws: {
          Timestamp: now,
          CloudWatchMetrics: [
            {
              Namespace: namespace,
              Dimensions: [[...service, 'outcome']],
              Metrics: [
                { Name: 'Tries', Unit: 'Count' },
                { Name: 'Took', Unit: 'Milliseconds' },
              ],
            },
          ],
        },
      },
    ]);
  });

  it('that cannot be published leaves nothing to the next one', () => {
    const values = { Tries: { value: 1, unit: 'Count' } } as const;
    const broken = { ...values, ['x'.repeat(256)]: { value: 1, unit: 'Count' } } as const;
    expect(() => metric('tried', { dimensions: { a: 'b' }, values: broken }, now)).toThrow(RangeError);
    metric('tried', { values }, now);
    const [line] = lines();
    expect(line).toMatchObject({ Tries: 1, _aws: { CloudWatchMetrics: [{ Dimensions: [service] }] } });
    expect(line).not.toHaveProperty('a');
  });
});

describe('faults of an invocation', () => {
  const counted = { Namespace: namespace, Dimensions: [service], Metrics: [{ Name: 'Faults', Unit: 'Count' }] };

  it('are published together at its end, by service only, also when it fails', async () => {
    const failing = invocation(async () => {
      countFault();
      metric('tried', { dimensions: { a: 'b' }, values: { Tries: { value: 1, unit: 'Count' } } }, now);
      countFault();
      throw new Error('It failed.');
    });
    await expect(failing(undefined, context)).rejects.toThrow('It failed.');
    const [tried, faults, ...others] = lines();
    expect(tried).not.toHaveProperty('Faults');
    expect(faults).toMatchObject({ Faults: 2, function_request_id: 'invocation-1', ...dimensions });
    expect(faults['_aws']).toMatchObject({ CloudWatchMetrics: [counted] });
    expect(others).toEqual([]);
  });

  it('are counted anew by the next, and no line is printed where none is', async () => {
    await invocation(async () => countFault())(undefined, context);
    await invocation(async () => undefined)(undefined, context);
    expect(lines()).toMatchObject([{ Faults: 1 }]);
  });

  it('are strays of an instance that has served a thousand calls, three at once at most', async () => {
    const served = async (calls: number) => {
      for (let call = 0; call < calls; call += 1) await invocation(async () => undefined)(undefined, context);
    };
    const failed = async () => {
      lines();
      await invocation(async () => countFault())(undefined, context);
      return lines().flatMap(({ Faults, StrayFaults }) => [{ Faults, StrayFaults }]);
    };
    const [fault, stray] = [[{ Faults: 1 }], [{ StrayFaults: 1 }]];
    await served(1_000);
    expect([await failed(), await failed()]).toEqual([stray, fault]);
    await served(10_000);
    expect([await failed(), await failed(), await failed(), await failed()]).toEqual([stray, stray, stray, fault]);
  });

  it('stand beside other counts; throttles of tables are counted for all domains together', async () => {
    await invocation(async () => {
      count('MeterUnanswered');
      count('TableThrottles');
      count('TableThrottles');
    })(undefined, context);
    expect(lines()).toMatchObject([
      { ...dimensions, MeterUnanswered: 1 },
      { service: 'all', TableThrottles: 2 },
    ]);
  });
});
