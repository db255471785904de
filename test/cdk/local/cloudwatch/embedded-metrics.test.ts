import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedMetrics } from '../../../../cdk/local/cloudwatch/embedded-metrics.ts';

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== '_aws' && text !== '__proto__');
const finite = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
const documents = fc.record({
  namespace: name,
  at: fc.integer({ min: 0, max: 2 ** 42 }),
  metrics: fc.dictionary(name, fc.array(finite, { minLength: 1, maxLength: 5 }), { minKeys: 1, maxKeys: 5 }),
  dimensions: fc.dictionary(name, name, { maxKeys: 4 }),
});

const directive = { Namespace: 'Service', Dimensions: [['domain']], Metrics: [{ Name: 'Faults', Unit: 'Count' }] };
const line = (change: object = {}, members: object = {}) => ({
  _aws: { Timestamp: 1000, CloudWatchMetrics: [{ ...directive, ...change }] },
  domain: 'webhooks',
  Faults: 2,
  ...members,
});

describe('a log line in the embedded metric format', () => {
  it('gives every value of every metric in every set of dimensions, as it went through JSON', () => {
    fc.assert(
      fc.property(documents, ({ namespace, at, metrics, dimensions }) => {
        const names = Object.keys(dimensions).filter((dimension) => !(dimension in metrics));
        const sets = [[], names];
        const Metrics = Object.keys(metrics).map((Name) => ({ Name }));
        const printed = JSON.stringify({
          _aws: { Timestamp: at, CloudWatchMetrics: [{ Namespace: namespace, Dimensions: sets, Metrics }] },
          ...dimensions,
          ...metrics,
        });
        const data = embeddedMetrics(JSON.parse(printed) as Record<string, unknown>);
        const expected = Object.entries(metrics).flatMap(([metric, values]) =>
          sets.map((set) => ({
            metric: {
              namespace,
              name: metric,
              dimensions: Object.fromEntries(set.map((dimension) => [dimension, dimensions[dimension]])),
            },
            samples: {
              sum: values.reduce((sum, value) => sum + value),
              count: values.length,
              min: Math.min(...values),
              max: Math.max(...values),
            },
            unit: undefined,
            at,
          })),
        );
        // JSON knows no negative zero.
        expect(JSON.parse(JSON.stringify(data))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });

  it('reads single values and arrays alike, with their unit', () => {
    const metric = { namespace: 'Service', name: 'Faults', dimensions: { domain: 'webhooks' } };
    const of = (samples: object) => [{ metric, samples, unit: 'Count', at: 1000 }];
    expect(embeddedMetrics(line())).toEqual(of({ sum: 2, count: 1, min: 2, max: 2 }));
    expect(embeddedMetrics(line({}, { Faults: [1, 5] }))).toEqual(of({ sum: 6, count: 2, min: 1, max: 5 }));
  });

  it('has one set without dimensions when it names none', () => {
    expect(embeddedMetrics(line({ Dimensions: [] })).map(({ metric }) => metric.dimensions)).toEqual([{}]);
  });

  it.each([
    ['that names a metric it does not have', line({ Metrics: [{ Name: 'Missing' }] })],
    ['that names a dimension it does not have', line({ Dimensions: [['missing']] })],
    ['whose dimension is no text', line({}, { domain: 7 })],
    ['whose value is a text', line({}, { Faults: '2' })],
    ['whose values are none', line({}, { Faults: [] })],
    ['with more than a hundred values', line({}, { Faults: Array.from({ length: 101 }, () => 1) })],
    ['without a namespace', line({ Namespace: '' })],
    ['without a time', { ...line(), _aws: { CloudWatchMetrics: [directive] } }],
    ['whose metadata is broken', { ...line(), _aws: 'broken' }],
    ['without metadata', { domain: 'webhooks', Faults: 2 }],
    ['that names what every object has', line({ Metrics: [{ Name: 'toString' }] })],
  ])('%s is no metric', (_, printed) => {
    expect(embeddedMetrics(printed as Record<string, unknown>)).toEqual([]);
  });
});
