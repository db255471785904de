import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Campaign,
  CampaignChange,
  CampaignFields,
  CampaignReplacement,
  presentCampaign,
} from '../../../functions/images/campaigns/campaign.ts';

const STATED = {
  permalink: 'spring-2026',
  name: 'Spring',
  type: 'receipt',
  startsAt: '2026-03-01T00:00:00Z',
  endsAt: '2026-06-01T00:00:00Z',
  country: 'US',
  currency: 'USD',
};
const DEFAULTS = {
  stores: [],
  products: [],
  regions: [],
  maxAwards: null,
  awardsPerCustomer: null,
  pointsPerValidation: 0,
  reviewsEveryImage: true,
  reviewAboveTotal: null,
  decidesAlone: null,
  receiptsOnce: 'campaign',
};
const takes = (own: object) => CampaignFields.safeParse({ ...STATED, ...own }).success;

describe('a campaign as its owner defines it', () => {
  it('needs only a name, a type and times, and stores times in UTC', () => {
    const times = { startsAt: '2026-03-01T02:00:00+02:00', endsAt: '2026-06-01T00:00:00.5Z' };
    expect(CampaignFields.parse({ ...STATED, ...times })).toEqual({
      ...STATED,
      ...DEFAULTS,
      startsAt: '2026-03-01T00:00:00.000Z',
      endsAt: '2026-06-01T00:00:00.500Z',
    });
    for (const name of Object.keys(STATED)) expect([name, takes({ [name]: undefined })]).toEqual([name, false]);
  });

  it.each([
    ['permalink', ['a', '0-', 'x'.repeat(100)], ['', '-a', 'A', 'a_b', 'a b', 'a#b', 'a/b', 'x'.repeat(101), 7, null]],
    ['name', ['x', 'x'.repeat(200)], ['', ' ', 'x'.repeat(201), 7]],
    ['type', ['receipt', 'image'], ['photo', '', null]],
    ['startsAt', ['2026-03-01T00:00:00-05:00'], ['2026-03-01', '2026-03-01T00:00:00', 'now', 7, null]],
    ['country', ['US', 'MY', 'DE'], ['us', 'USA', 'U', '', null]],
    ['currency', ['USD', 'MYR'], ['usd', 'US', '$', null]],
    ['stores', [[], ['Walmart']], [[''], [7], 'Walmart', Array.from({ length: 201 }, () => 'x')]],
    [
      'products',
      [[], [{ name: 'Tea', points: 0 }], [{ name: 'Tea', upc: '01234567', points: 5 }]],
      [
        [{ name: 'Tea' }],
        [{ name: '', points: 1 }],
        [{ name: 'Tea', points: -1 }],
        [{ name: 'Tea', points: 0.5 }],
        [{ name: 'Tea', points: 1, upc: '1234567' }],
        [{ name: 'Tea', points: 1, upc: '123456789012345' }],
        [{ name: 'Tea', points: 1, price: 2 }],
        Array.from({ length: 501 }, () => ({ name: 'x', points: 1 })),
      ],
    ],
    ['regions', [[], ['WA', '981']], [[''], [98101], Array.from({ length: 201 }, () => 'WA')]],
    ['maxAwards', [null, 1], [0, -1, 1.5, '1']],
    ['awardsPerCustomer', [null, 1], [0, 1_000_001]],
    ['pointsPerValidation', [0, 1_000_000], [-1, 1_000_001, null]],
    ['reviewsEveryImage', [true, false], ['yes', null]],
    ['reviewAboveTotal', [null, 0, 10_000], [-1, 0.5]],
    ['decidesAlone', [true, false, null], ['US', 1]],
    ['receiptsOnce', ['campaign', 'tenant'], [null, 'app', true]],
    ['campaignId', [], [1]],
    ['id', [], [1]],
  ])('accepts as %s valid values and nothing else', (field, good, bad) => {
    for (const value of good) expect([value, takes({ [field]: value })]).toEqual([value, true]);
    for (const value of bad) expect([value, takes({ [field]: value })]).toEqual([value, false]);
  });
});

describe('a change of a campaign', () => {
  const campaign: Campaign = {
    ...CampaignFields.parse({ ...STATED, products: [{ name: 'Tea', upc: '01234567', points: 5 }], maxAwards: 9 }),
    tenant: 'acme',
    id: STATED.permalink,
    campaignId: 77,
    revision: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
  };

  it('may be an answer sent back unchanged, which changes nothing', () => {
    const view = JSON.parse(JSON.stringify(presentCampaign({ ...campaign, awards: 4 })));
    const { tenant: _t, id, campaignId, ...rest } = campaign;
    expect(view).toEqual({ ...rest, id: campaignId, awards: 4 });
    const { revision, permalink, type, createdAt: _c, updatedAt: _u, ...fields } = rest;
    for (const schema of [CampaignReplacement, CampaignChange]) {
      expect(schema.parse(view)).toEqual({ change: fields, permalink, type, revision });
    }
    expect(id).toBe(permalink);
  });

  it('in part names at least one field that can change', () => {
    for (const nothing of [{}, { revision: 3 }, { permalink: 'x' }, { type: 'image' }, { id: 1, createdAt: 'x' }]) {
      expect([nothing, CampaignChange.safeParse(nothing).success]).toEqual([nothing, false]);
    }
    expect(CampaignChange.safeParse({ name: 'x', tenant: 'other' }).success).toBe(false);
    expect(CampaignChange.safeParse({ name: 'x', campaignId: 8 }).success).toBe(false);
    expect(CampaignChange.parse({ maxAwards: null })).toMatchObject({ change: { maxAwards: null } });
  });

  it('in part changes exactly the fields in the body', () => {
    const input = fc.record(
      {
        name: fc.constantFrom('A', 'B'),
        stores: fc.array(fc.constantFrom('X', 'Y'), { maxLength: 2 }),
        maxAwards: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
        reviewsEveryImage: fc.boolean(),
        pointsPerValidation: fc.nat(9),
      },
      { requiredKeys: ['name'] },
    );
    fc.assert(
      fc.property(input, (some) => {
        expect(CampaignChange.parse(some).change).toEqual(some);
      }),
    );
  });

  it('as a whole resets the other fields to defaults, and requires those without one', () => {
    const { permalink: _p, type: _t, ...rest } = STATED;
    const { change, permalink, type } = CampaignReplacement.parse(rest);
    expect(change).toMatchObject(DEFAULTS);
    expect([permalink, type]).toEqual([undefined, undefined]);
    for (const name of Object.keys(rest)) {
      expect(CampaignReplacement.safeParse({ ...rest, [name]: undefined }).success).toBe(false);
    }
  });
});
