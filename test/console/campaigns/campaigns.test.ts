import { describe, expect, it } from 'vitest';
import {
  CAMPAIGN_SCREENS,
  confirmCampaignEnd,
  endCampaign,
} from '../../../functions/console/campaigns/campaign.screens.tsx';
import type { Campaign } from '../../../functions/console/campaigns/campaign-answers.ts';
import { CAMPAIGNS } from '../../../functions/console/campaigns/campaign-form.ts';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { bodyOf, textsOf } from '../../../functions/console/resources/form-fields.ts';
import { allFields } from '../../../functions/console/resources/resource.ts';
import { CampaignChange, CampaignFields } from '../../../functions/images/campaigns/campaign.ts';
import { RENDERED_AT, renderedScreen } from '../../support/console/rendered-screen.tsx';

const CAMPAIGN: Campaign = {
  id: 77,
  permalink: 'autumn',
  name: 'Autumn <b>receipts</b>',
  type: 'receipt',
  startsAt: '2026-11-01T00:00:00.000Z',
  endsAt: '2026-12-31T23:59:59.999Z',
  country: 'US',
  currency: 'USD',
  stores: ['Cedar Supply Co', 'Oak, Ash & Sons'],
  products: [
    { name: 'Oak board', points: 5, upc: '012345678905' },
    { name: 'Nails, 100', points: 1 },
  ],
  regions: ['WA'],
  maxAwards: 1_000,
  awardsPerCustomer: null,
  pointsPerValidation: 10,
  reviewsEveryImage: true,
  reviewAboveTotal: 25_000,
  decidesAlone: true,
  receiptsOnce: 'campaign',
  awards: 12,
  revision: 3,
  createdAt: '2026-10-01T00:00:00.000Z',
  updatedAt: '2026-10-02T00:00:00.000Z',
};
const OWN = 'GET loyalty/campaigns/autumn';
const RECORD = {
  id: 812,
  revision: 1,
  validationType: 'receipt',
  status: 'valid',
  needsReview: false,
  campaignPermalink: 'autumn',
  customer: 'cus_1',
  anonymous: false,
  imageCount: 1,
  createdAt: '2026-11-22T00:00:00.000Z',
};
const path = { id: 'autumn' };
const fields = allFields(CAMPAIGNS);
const texts = textsOf(fields, CAMPAIGN);
const listed = (campaign: object) =>
  renderedScreen(CAMPAIGN_SCREENS.list, {
    answers: { 'GET loyalty/campaigns': { items: [{ ...CAMPAIGN, ...campaign }], nextCursor: 'more' } },
  });

describe('the form of a campaign', () => {
  it('states a campaign as the management API takes it', () => {
    const { body, wrong } = bodyOf(fields, texts);
    expect(wrong).toEqual({});
    const { id: _id, awards: _a, revision: _r, createdAt: _c, updatedAt: _u, ...stated } = CAMPAIGN;
    expect(CampaignFields.parse(body)).toEqual(stated);
    expect(bodyOf(fields, texts, texts).body).toEqual({});
  });

  it('names the line of a product that cannot be read', () => {
    const { wrong } = bodyOf(fields, { ...texts, products: 'Oak board; 5\nNails' });
    expect(wrong['products']).toMatch(/^Line 2: Enter a name and points/);
  });
});

describe('the list of campaigns', () => {
  it.each([
    ['Running', {}],
    ['Not begun', { startsAt: '2026-11-23T12:00:00.001Z' }],
    ['Ended', { endsAt: new Date(RENDERED_AT).toISOString() }],
  ])('says that one is %s', async (state, dates) => {
    expect((await listed(dates)).text).toContain(` ${state} `);
  });

  it('shows the awards left, and leads to the page of each and to the next page', async () => {
    const { text, links } = await listed({});
    expect(text).toContain('988 of 1,000');
    expect(links.get('Autumn &lt;b>receipts&lt;/b>')).toBe('/console/t/demo/campaigns/autumn');
    expect(links.get('Older')).toBe('/console/t/demo/campaigns?cursor=more');
    expect((await listed({ maxAwards: null })).text).toContain('No limit');
  });

  it('invites to create the first one', async () => {
    const { text, links } = await renderedScreen(CAMPAIGN_SCREENS.list, {
      answers: { 'GET loyalty/campaigns': { items: [] } },
    });
    expect(text).toContain('No campaign yet');
    expect(links.get('New campaign')).toBe('/console/t/demo/campaigns/-/new');
  });
});

describe('a campaign', () => {
  it('is created from the form, and shown as saved', async () => {
    const { html } = await renderedScreen(CAMPAIGN_SCREENS.newForm, { answers: {} });
    expect(html).toContain('name="permalink"');
    const { calls, to } = await renderedScreen(CAMPAIGN_SCREENS.create, {
      form: texts,
      answers: { 'POST loyalty/campaigns': CAMPAIGN },
    });
    expect(CampaignFields.safeParse(calls[0]?.body).success).toBe(true);
    expect(to).toBe('/console/t/demo/campaigns/autumn?notice=created');
  });

  it.each([
    ['Autumn  receipts!', 'autumn-receipts'],
    ['Café — Été 2026', 'cafe-ete-2026'],
    ['ab '.repeat(60), 'ab-'.repeat(60).slice(0, 100).replace(/-$/, '')],
    ['秋', ''],
  ])('gets the permalink of its name %s if none is entered', async (name, permalink) => {
    const { calls } = await renderedScreen(CAMPAIGN_SCREENS.create, {
      form: { ...texts, name, permalink: '' },
      answers: { 'POST loyalty/campaigns': CAMPAIGN },
    });
    expect(calls[0]?.body).toMatchObject({ permalink });
    expect(CampaignFields.safeParse(calls[0]?.body).success).toBe(permalink !== '');
  });

  it('says what is wrong with the name alone, from which the permalink would follow', async () => {
    const errors = [
      { pointer: '/name', detail: 'must not be empty' },
      { pointer: '/permalink', detail: 'must be lower-case letters, digits and hyphens' },
    ];
    const refusal = new ManagementFailure({ status: 400, code: 'invalid-input', detail: 'Invalid.', errors });
    const answers = { 'POST loyalty/campaigns': refusal };
    const { text } = await renderedScreen(CAMPAIGN_SCREENS.create, {
      form: { ...texts, name: '', permalink: '' },
      answers,
    });
    expect([text.includes('must not be empty'), text.includes('permalink must be')]).toEqual([true, false]);
    const both = await renderedScreen(CAMPAIGN_SCREENS.create, { form: { ...texts, permalink: 'A B' }, answers });
    expect(both.text).toContain('permalink must be');
  });

  it('keeps the form and says beside the field what is wrong', async () => {
    const answers = {
      'POST loyalty/campaigns': new ManagementFailure({ status: 409, code: 'permalink-taken', detail: 'Taken.' }),
    };
    const errors = [
      { pointer: '/startsAt', detail: 'must be a time' },
      { pointer: '/permalink', detail: 'must have lower-case letters' },
    ];
    const refusal = new ManagementFailure({ status: 400, code: 'invalid-input', detail: 'Invalid.', errors });
    const wrong = await renderedScreen(CAMPAIGN_SCREENS.create, {
      form: { ...texts, startsAt: 'soon', permalink: 'A B' },
      answers: { 'POST loyalty/campaigns': refusal },
    });
    expect([wrong.status, wrong.calls[0]?.body]).toMatchObject([400, { startsAt: 'soon' }]);
    expect(wrong.html).toMatch(/value="soon"[^>]*aria-invalid="true"/);
    expect(wrong.html).toMatch(/id="field-startsAt-said">Enter a day and a time/);
    expect(wrong.html).toMatch(/id="field-permalink-said">[^<]*must have lower-case letters/);
    const taken = await renderedScreen(CAMPAIGN_SCREENS.create, { form: texts, answers });
    expect(taken.status).toBe(409);
    expect(taken.html).toMatch(/id="field-permalink-said">Taken\./);
  });

  it('is changed by what differs, on the revision that was seen', async () => {
    const { calls, to } = await renderedScreen(CAMPAIGN_SCREENS.change, {
      path,
      form: { ...texts, maxAwards: '', revision: '2' },
      answers: { [OWN]: CAMPAIGN, 'PATCH loyalty/campaigns/autumn': CAMPAIGN },
    });
    expect(calls[1]?.body).toEqual({ maxAwards: null, revision: 2 });
    expect(CampaignChange.safeParse(calls[1]?.body).success).toBe(true);
    expect(to).toBe('/console/t/demo/campaigns/autumn?notice=saved');
  });

  it('that someone else has changed keeps the form, which is refused until it is opened again', async () => {
    const detail = 'The campaign has revision 3. Read it again.';
    const { status, text, html } = await renderedScreen(CAMPAIGN_SCREENS.change, {
      path,
      form: { ...texts, name: 'Mine', revision: '2' },
      answers: {
        [OWN]: CAMPAIGN,
        'PATCH loyalty/campaigns/autumn': new ManagementFailure({ status: 409, code: 'changed-meanwhile', detail }),
      },
    });
    expect(status).toBe(409);
    expect(text).toContain('Someone has changed this campaign since you opened it.');
    expect(html).toContain('value="Mine"');
    expect(html).toMatch(/name="revision" value="2"/);
  });

  it('has a page with its records and their verdicts by day', async () => {
    const day = (date: string, valid: number, invalid: number) => ({ date, valid, invalid, undecided: 1 });
    const { html, text, links, calls } = await renderedScreen(CAMPAIGN_SCREENS.item, {
      path,
      answers: {
        [OWN]: CAMPAIGN,
        'GET loyalty/campaigns/autumn/validations-by-day': {
          days: [day('2026-11-21', 30, 4), day('2026-11-22', 1_000, 0)],
        },
        'GET image-validations': { items: [RECORD] },
      },
    });
    expect(html).toMatch(
      /<svg class="chart bars" role="img" aria-labelledby="chart-verdicts-by-day-of-submission-title"/,
    );
    expect(text).toContain('1,030 valid, 4 invalid and 2 undecided records in 2 days.');
    expect(text).toMatch(/22 Nov +1,000 valid +0 invalid +1 undecided/);
    expect(links.get('812')).toBe('/console/t/demo/images/812');
    expect(links.get('All records')).toBe('/console/t/demo/images?view=all&campaign=autumn');
    expect(calls.find(({ name }) => name === 'GET image-validations')?.query).toMatchObject({ campaign: 'autumn' });
  });

  it('ends after a question, if it is running', async () => {
    const answers = { [OWN]: CAMPAIGN, 'PATCH loyalty/campaigns/autumn': CAMPAIGN };
    expect((await renderedScreen(CAMPAIGN_SCREENS.item, { path, answers })).links.get('End now…')).toBe(
      '/console/t/demo/campaigns/autumn/end',
    );
    const question = await renderedScreen(confirmCampaignEnd, { path, answers });
    expect([question.calls.length, question.html.includes('action="/console/t/demo/campaigns/autumn/end"')]).toEqual([
      1,
      true,
    ]);
    const ended = await renderedScreen(endCampaign, { path, answers });
    expect(ended.calls[1]?.body).toEqual({ endsAt: '2026-11-23T12:00:00.000Z', revision: 3 });

    const over = { [OWN]: { ...CAMPAIGN, endsAt: '2026-11-20T00:00:00.000Z' } };
    expect((await renderedScreen(CAMPAIGN_SCREENS.item, { path, answers: over })).links.has('End now…')).toBe(false);
    expect((await renderedScreen(endCampaign, { path, answers: over })).calls).toHaveLength(1);
  });

  it('is deleted, and its list says so', async () => {
    const answers = { 'DELETE loyalty/campaigns/autumn': {} };
    expect((await renderedScreen(CAMPAIGN_SCREENS.remove, { path, answers })).to).toBe(
      '/console/t/demo/campaigns?deleted=1',
    );
    const { text } = await renderedScreen(CAMPAIGN_SCREENS.list, {
      query: { deleted: '1' },
      answers: { 'GET loyalty/campaigns': { items: [CAMPAIGN] } },
    });
    expect(text).toContain('A campaign was deleted.');
  });
});
