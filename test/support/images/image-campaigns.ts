import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';

/** A receipt campaign that runs for years, and limits nothing. */
export const imageCampaign = (fields: Partial<Campaign> & Pick<Campaign, 'tenant' | 'permalink'>): Campaign => ({
  id: fields.permalink,
  campaignId: 4_711,
  revision: 1,
  name: 'A campaign',
  type: 'receipt',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2036-01-01T00:00:00.000Z',
  country: 'US',
  currency: 'USD',
  stores: [],
  products: [],
  regions: [],
  maxAwards: null,
  awardsPerCustomer: null,
  pointsPerValidation: 0,
  reviewsEveryImage: true,
  reviewAboveTotal: null,
  decidesAlone: true,
  receiptsOnce: 'campaign',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});
