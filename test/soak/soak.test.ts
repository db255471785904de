import { expect, it } from 'vitest';
import { soak } from './soak.ts';

const USES = 15;

// `npm run soak` and `soak.long.ts` use the services for half an hour.
it(`${USES} uses of all services lose nothing, double nothing and leave no alarm`, async () => {
  const { faults, alarms, counts } = await soak({
    minutes: 5,
    uses: USES,
    seed: 20_261_127,
    say: () => undefined,
  });
  expect([faults, alarms]).toEqual([[], []]);
  expect(counts['uses']).toBe(USES);
  for (const what of ['events', 'converted', 'checkIns', 'submissions']) expect(counts[what], what).toBeGreaterThan(0);
});
