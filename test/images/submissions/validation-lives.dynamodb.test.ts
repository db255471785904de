import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ImagesDesk, openImagesDesk } from '../../support/images/images-desk.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { BEGINNINGS, type Beginning, searchLives } from './validation-lives.ts';
import type { Action } from './validation-model.ts';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

/** Other contents are tried with a validation of one upload, and another offer with one that lacks an image. */
const takenOf =
  ({ validation: { count, objects } }: Beginning) =>
  (action: Action) => {
    if (objects.length === 0 || count === 1) return true;
    if ('content' in action && action.content === 'two') return false;
    return action.do !== 'offer' || objects.length === 1;
  };

/** An image that is there, and one that is to be uploaded before another. */
const TRIED = BEGINNINGS.filter((_, at) => isThorough || at === 0 || at === 3);

it.each(TRIED.map((beginning) => [beginning.validation, beginning] as const))(
  'a validation that begins as %j behaves like the model in all sequences of two steps',
  async (_shape, beginning) => {
    const { lives, said, differences } = await searchLives(desk, beginning, { depth: 2, isTaken: takenOf(beginning) });
    expect(differences).toEqual([]);
    const hasUploads = beginning.validation.objects.length > 0;
    expect(lives).toBeGreaterThan(hasUploads ? 30 : 4);
    expect([...said]).toEqual(expect.arrayContaining(hasUploads ? ['gone', 'no-image', 'stored'] : ['validation']));
  },
);
