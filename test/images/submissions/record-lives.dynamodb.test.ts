import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ImagesDesk, openImagesDesk } from '../../support/images-desk.ts';
import { BEGINNINGS, searchLives } from './record-lives.ts';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

it.each(BEGINNINGS.map((beginning) => [beginning.record, beginning] as const))(
  'a record that begins as %j goes the way of the model in all lives of two steps',
  async (_record, beginning) => {
    const { lives, said, differences } = await searchLives(desk, beginning, 2);
    expect(differences).toEqual([]);
    const hasUploads = beginning.record.objects.length > 0;
    expect(lives).toBeGreaterThan(hasUploads ? 40 : 4);
    expect([...said]).toEqual(expect.arrayContaining(hasUploads ? ['gone', 'no-image', 'stored'] : ['validation']));
  },
);
