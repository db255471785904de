import { beforeEach, describe, expect, it } from 'vitest';
import { MetricStore, RETENTION_MINUTES } from '../../../../cdk/local/cloudwatch/metric-store.ts';

const START = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
const METRIC = { namespace: 'Test', name: 'Size', dimensions: { a: '1', b: '2' } };

let now = START;
let store: MetricStore;

beforeEach(() => {
  now = START;
  store = new MetricStore(() => new Date(now));
});

describe('a metric store', () => {
  it('adds up the values of a span of minutes', () => {
    store.put(METRIC, 3);
    store.put(METRIC, 1);
    now += MINUTE;
    store.put(METRIC, 8);
    expect(store.samples(METRIC, START, START + MINUTE)).toEqual({ sum: 4, count: 2, min: 1, max: 3 });
    expect(store.samples(METRIC, START, START + 2 * MINUTE)).toEqual({ sum: 12, count: 3, min: 1, max: 8 });
    expect(store.samples(METRIC, START + 2 * MINUTE, START + 5 * MINUTE)).toBeUndefined();
  });

  it('identifies a metric by its dimensions in any order', () => {
    store.put(METRIC, 1);
    store.put({ ...METRIC, dimensions: { b: '2', a: '1' } }, 1);
    store.put({ ...METRIC, dimensions: { a: '1' } }, 1);
    store.put({ ...METRIC, dimensions: { a: '1', b: '3' } }, 1);
    expect(store.samples(METRIC, START, START + MINUTE)?.count).toBe(2);
    expect(store.metrics()).toHaveLength(3);
  });

  it('stores late data at its own time, and drops data that is too old or too far ahead', () => {
    store.put(METRIC, 1, { at: START - 10 * MINUTE });
    store.put(METRIC, 1, { at: START - RETENTION_MINUTES * MINUTE });
    store.put(METRIC, 1, { at: START + 121 * MINUTE });
    expect(store.samples(METRIC, START - 10 * MINUTE, START - 9 * MINUTE)?.count).toBe(1);
    expect(store.samples(METRIC, 0, START + 24 * 60 * MINUTE)?.count).toBe(1);
  });

  it('deletes data older than its retention, and metrics without data', () => {
    store.put(METRIC, 1);
    now += (RETENTION_MINUTES - 1) * MINUTE;
    store.sweep();
    expect(store.samples(METRIC, START, now)?.count).toBe(1);
    now += MINUTE;
    expect(store.samples(METRIC, START, now)).toBeUndefined();
    store.sweep();
    expect(store.metrics()).toEqual([]);
  });
});
