import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportedSteps } from '../../../cdk/start/steps.ts';

const lines: string[] = [];
const step = reportedSteps((line) => lines.push(line));

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const lasting = (millis: number) => () => vi.advanceTimersByTimeAsync(millis).then(() => 7);

it('prints how long the work took, and gives back its result', async () => {
  const result = step('Bundling', lasting(2_100));
  expect(await result).toBe(7);
  expect(lines).toEqual(['Bundling… 2.1 s']);
});

it('prints every five seconds that long work goes on', async () => {
  const result = step('Bundling', lasting(12_000));
  await result;
  expect(lines).toEqual(['Bundling… 5.0 s so far', 'Bundling… 10.0 s so far', 'Bundling… 12.0 s']);
});

it('prints nothing more once the work has failed', async () => {
  const result = step('Bundling', () => Promise.reject(new Error('no memory')));
  await expect(result).rejects.toThrow('no memory');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lines).toEqual([]);
});
