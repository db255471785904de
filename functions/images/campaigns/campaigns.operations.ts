import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { ValidationType } from '../validations/validation-schemas.ts';
import { CampaignChange, CampaignFields, CampaignReplacement } from './campaign.ts';

const Product = named(
  'Product',
  z.object({ name: z.string(), upc: z.string().optional(), points: z.int() }),
  'A product that counts for the campaign. A receipt line matches by its bar code or by its name.',
);

const Campaign = named(
  'Campaign',
  z.object({
    id: z.int(),
    permalink: z.string(),
    name: z.string(),
    type: ValidationType,
    startsAt: Time,
    endsAt: Time,
    country: z.string(),
    currency: z.string(),
    stores: z.array(z.string()).meta({ description: 'Empty means any store.' }),
    products: z.array(Product).meta({ description: 'Empty means any purchase.' }),
    regions: z.array(z.string()).meta({ description: 'Empty means any region.' }),
    maxAwards: z.int().nullable().meta({ description: 'Null means no limit.' }),
    awardsPerCustomer: z.int().nullable().meta({ description: 'Null means no limit.' }),
    pointsPerValidation: z.int(),
    reviewsEveryImage: z.boolean(),
    reviewAboveTotal: z.int().nullable().meta({ description: 'In hundredths of the currency. Null means no limit.' }),
    decidesAlone: z.boolean().nullable().meta({ description: 'Null means the default of the country.' }),
    receiptsOnce: z.enum(['campaign', 'tenant']),
    awards: z
      .int()
      .nullable()
      .meta({ description: 'The number of awards that count towards `maxAwards`. Null if the campaign has no limit.' }),
    revision: z.int(),
    createdAt: Time,
    updatedAt: Time,
  }),
  'A campaign for which customers submit images.',
);

/** A permalink has at most 100 characters, so a longer one is not looked up. */
const path = z.object({ permalink: z.string().max(100) });
const one = { path, answers: { 200: Campaign } };
const saving = { 409: ['changed-meanwhile'] };
const fields = {
  name: 'Autumn receipts',
  startsAt: '2026-09-01T00:00:00-07:00',
  endsAt: '2026-12-01T00:00:00-08:00',
  country: 'US',
  currency: 'USD',
  stores: ['Cedar Supply Co'],
  products: [{ name: 'Oak board', points: 5 }],
  pointsPerValidation: 10,
};

/** Operations on campaigns. */
export const campaignOperations = operations({
  createCampaign: {
    route: 'POST /manage/v1/loyalty/campaigns',
    summary: 'Create a campaign',
    body: CampaignFields,
    example: { permalink: 'autumn-receipts', type: 'receipt', ...fields },
    answers: { 201: Campaign },
    errors: { 409: ['permalink-taken'] },
  },
  listCampaigns: {
    route: 'GET /manage/v1/loyalty/campaigns',
    summary: 'List campaigns',
    query: PageQuery,
    answers: { 200: pageOf('CampaignPage', Campaign) },
  },
  getCampaign: { route: 'GET /manage/v1/loyalty/campaigns/{permalink}', summary: 'Get a campaign', ...one },
  replaceCampaign: {
    route: 'PUT /manage/v1/loyalty/campaigns/{permalink}',
    summary: 'Replace a campaign',
    description: 'Members that are absent get their defaults. Permalink and type never change.',
    ...one,
    body: CampaignReplacement,
    example: fields,
    errors: saving,
  },
  changeCampaign: {
    route: 'PATCH /manage/v1/loyalty/campaigns/{permalink}',
    summary: 'Change a campaign',
    description: 'Members that are absent stay as they are. Permalink and type never change.',
    ...one,
    body: CampaignChange,
    example: { maxAwards: 1_000 },
    errors: saving,
  },
  deleteCampaign: {
    route: 'DELETE /manage/v1/loyalty/campaigns/{permalink}',
    summary: 'Delete a campaign',
    description: 'Validations of the campaign stay as they are. New submissions to it are refused.',
    path,
    answers: { 204: undefined },
  },
});
