import { describe, expect, it } from 'vitest';
import { mergedSamples, samplesOf, spreadOf, statisticOf } from '../../../../cdk/local/cloudwatch/metric.ts';

const p99 = (values: readonly number[]) => statisticOf(values.map(spreadOf).reduce(mergedSamples), 'p99');
const ofHundred = (slow: number) => Array.from({ length: 100 }, (_, n) => (n < slow ? 4_000 : n));

describe('a percentile', () => {
  it('is the value that the share does not exceed, to one percent', () => {
    expect(p99(ofHundred(1))).toBeCloseTo(99, -1);
    expect(p99(ofHundred(2))).toBeGreaterThan(3_960);
    expect(p99(ofHundred(2))).toBeLessThanOrEqual(4_000);
    expect(p99([0])).toBe(0);
  });

  it('is refused for a metric without percentiles', () => {
    expect(() => statisticOf(mergedSamples(samplesOf(1), spreadOf(2)), 'p99')).toThrow('latency of an API alone');
  });
});
