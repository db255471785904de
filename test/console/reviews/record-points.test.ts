import { describe, expect, it } from 'vitest';
import { reviewedRecord } from '../../../functions/console/reviews/review.screens.ts';
import { RENDERED_AT, renderedScreen } from '../../support/console/rendered-screen.tsx';

const at = new Date(RENDERED_AT).toISOString();
const record = {
  id: 7,
  revision: 2,
  validationType: 'receipt',
  status: 'pending',
  needsReview: true,
  campaignPermalink: 'autumn',
  customer: 'cus_1',
  anonymous: false,
  imageCount: 1,
  review: { requestedAt: at, until: at, doubts: [{ reason: 'total', code: 6 }] },
  claim: { by: 'demo', until: at },
  createdAt: at,
  canExamineAgain: false,
  images: [],
};
const pageOf = (own: object, campaign?: object) =>
  renderedScreen(reviewedRecord, {
    path: { id: '7' },
    answers: {
      'GET image-validations/7': { ...record, ...own },
      ...(campaign && { 'GET loyalty/campaigns/autumn': campaign }),
    },
  });

describe('the points of a record', () => {
  it('are stated to its reviewer before the verdict', async () => {
    const text = 'If valid, the customer gets 50 points';
    expect((await pageOf({}, { pointsPerValidation: 50 })).text).toContain(`${text}, and the points of the lines.`);
    expect((await pageOf({ validationType: 'image' }, { pointsPerValidation: 50 })).text).toContain(`${text}.`);
  });

  it('are not guessed where the campaign is gone, nor asked for by who does not review it', async () => {
    const gone = await pageOf({});
    expect([gone.status, gone.text]).toEqual([200, expect.not.stringContaining('If valid')]);
    const { calls } = await pageOf({ claim: { by: 'another', until: at } }, { pointsPerValidation: 50 });
    expect(calls.map(({ name }) => name)).toEqual(['GET image-validations/7']);
  });

  it('are shown once they were awarded', async () => {
    const own = { status: 'valid', needsReview: false, points: 1_062, results: [] };
    expect((await pageOf(own)).text).toMatch(/Points awarded 1,062/);
  });
});
