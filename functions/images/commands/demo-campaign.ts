import type { Campaign } from '../campaigns/campaign.ts';

/** A campaign without its number, which is assigned when it is stored. */
export type DemoCampaign = Omit<Campaign, 'campaignId'>;

const CREATED = '2026-01-01T00:00:00.000Z';

/** Accepts receipts of any store and year, so that a first picture needs no preparation. */
const AMERICAN: DemoCampaign = {
  tenant: 'demo',
  id: 'demo-receipts',
  permalink: 'demo-receipts',
  revision: 1,
  name: 'Receipts of any store',
  type: 'receipt',
  startsAt: '2010-01-01T00:00:00.000Z',
  endsAt: '2040-01-01T00:00:00.000Z',
  country: 'US',
  currency: 'USD',
  stores: [],
  products: [],
  regions: [],
  maxAwards: null,
  awardsPerCustomer: null,
  pointsPerValidation: 50,
  reviewsEveryImage: true,
  reviewAboveTotal: null,
  // American receipts were measured on drawn ones only, such as those of the demo. Otherwise a person would decide them.
  decidesAlone: true,
  receiptsOnce: 'campaign',
  createdAt: CREATED,
  updatedAt: CREATED,
};

const MALAYSIAN: DemoCampaign = {
  ...AMERICAN,
  id: 'demo-receipts-my',
  permalink: 'demo-receipts-my',
  name: 'Malaysian receipts of any store',
  country: 'MY',
  currency: 'MYR',
  decidesAlone: null,
};

/**
 * A person approves every receipt of this campaign, so that the review queue has entries. It is added with its
 * receipts.
 */
export const APPROVED_BY_PEOPLE: DemoCampaign = {
  ...AMERICAN,
  id: 'demo-receipts-approved',
  permalink: 'demo-receipts-approved',
  name: 'Receipts that a person approves',
  reviewAboveTotal: 0,
};

export const DEMO_CAMPAIGNS: readonly DemoCampaign[] = [AMERICAN, MALAYSIAN];
