import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MortalImages, startMortalImages } from '../../support/faults/mortal-images.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { polled } from '../../support/runner/machine-time.ts';

let mortal: MortalImages;
beforeAll(async () => {
  mortal = await startMortalImages();
});
afterAll(() => mortal?.close());

/** While print is recognised, the long test kills it, and again and again. */
it('validations survive that everything is killed before, while and after they are looked at', {
  timeout: 300_000,
}, async () => {
  const { images } = mortal;
  const type = 'image';
  const limited = { maxAwards: 100, type } as const;
  const seen = await images.campaign({ ...limited, pointsPerValidation: 3 });
  const unseen = await images.campaign({ ...limited, pointsPerValidation: 5, reviewsEveryImage: false });
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => images.newCustomer()));

  // One waits for a person, one has just been decided by a person, and one has just come.
  const waiting = await images.submit(one!, { to: seen, type }, await blocksOfSeed(1));
  const reviewed = await images.submit(two!, { to: seen, type }, await blocksOfSeed(3));
  await images.waiting(waiting);
  await images.waiting(reviewed);
  const started = await images.submit(three!, { to: unseen, type }, await blocksOfSeed(2));
  expect((await images.review(reviewed, { status: 'valid' })).status).toBe(202);
  await mortal.dies();

  expect(await images.decided(three!, started)).toMatchObject({ status: 'valid' });
  expect(await images.decided(two!, reviewed)).toMatchObject({ status: 'valid' });
  expect((await images.review(waiting, { status: 'valid' })).status).toBe(202);
  expect(await images.decided(one!, waiting)).toMatchObject({ status: 'valid' });
  expect(await Promise.all([one, two, three].map((customer) => images.points(customer!)))).toEqual([3, 3, 5]);
  expect(await Promise.all([seen, unseen].map((permalink) => mortal.awards(permalink)))).toEqual([2, 1]);
  // The tokens of before the kill: the executions went on and applied the reviews. A stream that is read again after a
  // kill may start another one, which finds the record decided.
  for (const { id } of [waiting, reviewed]) {
    const ended = await polled(
      async () => (await mortal.executions()).filter(({ name }) => name?.startsWith(`iv-demo-${id}-`)),
      (all) => all.every(({ status }) => status !== 'RUNNING'),
    );
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
    const asking = ended.find(({ name }) => name?.endsWith('-examine-0'));
    expect((await mortal.statesOf(asking!)).slice(-3)).toEqual(['Review', 'ApplyReview', 'Decided']);
  }
});
