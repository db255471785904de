import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ImagesDesk, openImagesDesk } from '../../support/images/images-desk.ts';
import { BEGINNINGS, searchLives } from './validation-lives.ts';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

it.each(BEGINNINGS.map((beginning) => [beginning.validation, beginning] as const))(
  'a validation that begins as %j behaves like the model in all sequences of three steps',
  async (_shape, beginning) => {
    const { said, differences } = await searchLives(desk, beginning, { depth: 3 });
    expect(differences).toEqual([]);
    const uploads = beginning.validation.objects.length > 0 ? ['gone', 'no-image', 'stored', 'unexpected'] : [];
    expect([...said]).toEqual(expect.arrayContaining([undefined, 'validation', ...uploads]));
  },
);
