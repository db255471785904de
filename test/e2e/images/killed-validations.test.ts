import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MortalImages, startMortalImages } from '../../support/faults/mortal-images.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { polled } from '../../support/runner/machine-time.ts';

let mortal: MortalImages;
beforeAll(async () => {
  mortal = await startMortalImages();
});
afterAll(() => mortal?.close());

it('validations survive that everything is killed before, while and after they are looked at', {
  timeout: 300_000,
}, async () => {
  const { images } = mortal;
  const [picture, receipt] = ['image', 'receipt'] as const;
  const limited = { maxAwards: 100 };
  const seen = await images.campaign({ ...limited, type: picture, pointsPerValidation: 3 });
  const unseen = await images.campaign({ ...limited, type: picture, pointsPerValidation: 5, reviewsEveryImage: false });
  const read = await images.campaign({ ...limited, type: receipt, pointsPerValidation: 7 });
  const [person, machine, reader] = await Promise.all([1, 2, 3].map(() => images.newCustomer()));
  const executionsOf = async (id: number) =>
    (await mortal.executions()).filter(({ name }) => name?.startsWith(`iv-demo-${id}-`));

  // One waits for a person, print is being recognised, and one has just come.
  const reviewed = await images.submit(person!, { to: seen, type: picture }, await blocksOfSeed(1));
  await images.waiting(reviewed);
  const drawn = receiptOfSeed(10_027, { country: 'US', distortion: 'clean', file: 'jpeg' });
  const examined = await images.submit(reader!, { to: read }, (await drawn.render()).bytes);
  await polled(
    async () => Promise.all((await executionsOf(examined.id)).map((one) => mortal.statesOf(one))),
    (states) => states.flat().includes('Examine'),
  );
  const started = await images.submit(machine!, { to: unseen, type: picture }, await blocksOfSeed(2));
  await mortal.dies();

  expect(await images.decided(machine!, started)).toMatchObject({ status: 'valid' });
  expect(await images.decided(reader!, examined)).toMatchObject({
    status: 'valid',
    store_name: drawn.truth.store,
    receipt_date: drawn.truth.date,
  });
  expect((await images.review(reviewed, { status: 'valid' })).status).toBe(202);
  await mortal.dies();

  expect(await images.decided(person!, reviewed)).toMatchObject({ status: 'valid' });
  expect(await Promise.all([person, machine, reader].map((customer) => images.points(customer!)))).toEqual([3, 5, 7]);
  expect(await Promise.all([seen, unseen, read].map((permalink) => mortal.awards(permalink)))).toEqual([1, 1, 1]);
  // The token of before both kills: the execution went on and applied the review. A stream that is read again after a
  // kill may start another one, which finds the record decided.
  const ended = await polled(
    () => executionsOf(reviewed.id),
    (all) => all.every(({ status }) => status !== 'RUNNING'),
  );
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
  const asking = ended.find(({ name }) => name?.endsWith('-examine-0'));
  expect((await mortal.statesOf(asking!)).slice(-3)).toEqual(['Review', 'ApplyReview', 'Decided']);
});
