import { expect, it } from 'vitest';
import { soak } from './soak.ts';

const MINUTES = Number(process.env['MINUTES'] ?? 30);

it(`${MINUTES} minutes of all services lose nothing, double nothing and leave no alarm`, async () => {
  const { faults, alarms, counts } = await soak({
    minutes: MINUTES,
    seed: 20_261_127,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(counts, undefined, 2)}\n`);
  expect(faults.slice(0, 20)).toEqual([]);
  expect(alarms).toEqual([]);
});
