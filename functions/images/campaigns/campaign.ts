import * as z from 'zod';
import { named, ReadOnly } from '#shared/http/answer-schemas';
import type { TenantKey } from '#shared/ids';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const name = z.string().trim().min(1).max(200);

/** A product that counts for the campaign. A receipt line matches by its bar code or by its name. */
const Product = named(
  'NewProduct',
  z.strictObject({
    name: name.describe('The name as receipts print it, or close to it.'),
    upc: z
      .string()
      .regex(/^\d{8,14}$/, 'must be 8 to 14 digits')
      .describe('The number of the bar code.')
      .optional(),
    points: z.int().min(0).max(1_000_000).describe('The points for each unit bought.'),
  }),
);
export type Product = z.output<typeof Product>;

export const PERMALINK = /^[a-z0-9][a-z0-9-]{0,99}$/;

const identity = {
  permalink: z
    .string()
    .regex(PERMALINK, 'must be lower-case letters, digits and hyphens')
    .describe('The name of the campaign in the loyalty API. It never changes.'),
  type: z.enum(['receipt', 'image']).describe('What customers submit. It never changes.'),
};

const fields = {
  name: name.describe('The name that people see.'),
  startsAt: time.describe('When it begins.'),
  endsAt: time.describe('When it ends.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters')
    .describe('The country of the receipts (ISO 3166-1). It decides how dates and amounts are read.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters')
    .describe('The currency of the receipts (ISO 4217).'),
  stores: z.array(name).max(200).describe('The stores whose receipts count. Empty means any store.'),
  products: z.array(Product).max(500).describe('The products that count. Empty means any purchase.'),
  regions: z
    .array(z.string().trim().min(1).max(50))
    .max(200)
    .describe('States, or the beginnings of postal codes, of the stores. Empty means any region.'),
  maxAwards: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .describe(
      'How many validations earn points, of all customers. Those of a time without a limit do not count. Null means no limit.',
    ),
  /**
   * With 1, a second submission of a customer gets code 13; with more, the first one above the limit gets code 16. Null
   * means no limit.
   */
  awardsPerCustomer: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe('The number of validations that earn points, of one customer. Null means no limit.'),
  pointsPerValidation: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('The points of a valid validation, in addition to those of its products.'),
  reviewsEveryImage: z
    .boolean()
    .describe('If true, a person decides every picture: no program can tell whether it suits the campaign.'),
  reviewAboveTotal: z
    .int()
    .min(0)
    .nullable()
    .describe('A person decides receipts above this total, in hundredths of the currency. Null means no limit.'),
  decidesAlone: z
    .boolean()
    .nullable()
    .describe(
      'Whether receipts that prove everything are decided without a person. Null means: if the country was measured on real receipts.',
    ),
  receiptsOnce: z
    .enum(['campaign', 'tenant'])
    .describe('Where a receipt or a picture counts once: in this campaign, or in all campaigns of the tenant.'),
};

const fieldsWithDefaults = {
  ...fields,
  stores: fields.stores.default([]),
  products: fields.products.default([]),
  regions: fields.regions.default([]),
  maxAwards: fields.maxAwards.default(null),
  awardsPerCustomer: fields.awardsPerCustomer.default(null),
  pointsPerValidation: fields.pointsPerValidation.default(0),
  reviewsEveryImage: fields.reviewsEveryImage.default(true),
  reviewAboveTotal: fields.reviewAboveTotal.default(null),
  decidesAlone: fields.decidesAlone.default(null),
  receiptsOnce: fields.receiptsOnce.default('campaign'),
};

export const CampaignFields = named('NewCampaign', z.strictObject({ ...identity, ...fieldsWithDefaults }));
export type CampaignFields = z.output<typeof CampaignFields>;

/**
 * Members that a body may hold without changing them, so that clients may send an answer back. The permalink and the
 * type never change, because validations refer to them. A `revision` that is not current is refused.
 */
const readOnlyMembers = {
  permalink: identity.permalink.optional(),
  type: identity.type.optional(),
  revision: z.int().describe('The revision that the change is based on. Another one is refused.').optional(),
  id: ReadOnly,
  awards: ReadOnly,
  createdAt: ReadOnly,
  updatedAt: ReadOnly,
};

/** A replacement sets all fields. Fields that the body omits get their defaults. */
export const CampaignReplacement = z
  .strictObject({ ...readOnlyMembers, ...fieldsWithDefaults })
  .transform(changeIn)
  .meta({ id: 'CampaignReplacement' });
export const CampaignChange = z
  .strictObject({ ...readOnlyMembers, ...z.object(fields).partial().shape })
  .transform(changeIn)
  .refine(({ change }) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'CampaignChange', minProperties: 1 });
/** The members that both a new campaign and a change may have. */
export const AnyCampaignChange = z
  .strictObject({ ...readOnlyMembers, ...z.object(fields).partial().shape })
  .transform(changeIn);
export type CampaignChange = z.output<typeof CampaignChange> | z.output<typeof CampaignReplacement>;

interface ReadOnlyMembers {
  readonly permalink?: string | undefined;
  readonly type?: CampaignFields['type'] | undefined;
  readonly revision?: number | undefined;
  readonly id?: unknown;
  readonly awards?: unknown;
  readonly createdAt?: unknown;
  readonly updatedAt?: unknown;
}

function changeIn<Change extends ReadOnlyMembers>(body: Change) {
  const { permalink, type, revision, ...rest } = body;
  const { id: _id, awards: _awards, createdAt: _created, updatedAt: _updated, ...change } = rest;
  return { change, permalink, type, revision };
}

/** A stored campaign. Its `id` is the permalink; the interface calls `campaignId` its id. */
export interface Campaign extends CampaignFields, TenantKey {
  readonly campaignId: number;
  /** Counts its changes. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CountedCampaign extends Campaign {
  /** The number of awards that count towards its limit; null without one. */
  readonly awards: number | null;
}

/** The campaign as the management API shows it. */
export const presentCampaign = (campaign: CountedCampaign) => ({
  id: campaign.campaignId,
  permalink: campaign.permalink,
  name: campaign.name,
  type: campaign.type,
  startsAt: campaign.startsAt,
  endsAt: campaign.endsAt,
  country: campaign.country,
  currency: campaign.currency,
  stores: campaign.stores,
  products: campaign.products,
  regions: campaign.regions,
  maxAwards: campaign.maxAwards,
  awardsPerCustomer: campaign.awardsPerCustomer,
  pointsPerValidation: campaign.pointsPerValidation,
  reviewsEveryImage: campaign.reviewsEveryImage,
  reviewAboveTotal: campaign.reviewAboveTotal,
  decidesAlone: campaign.decidesAlone,
  receiptsOnce: campaign.receiptsOnce,
  awards: campaign.awards,
  revision: campaign.revision,
  createdAt: campaign.createdAt,
  updatedAt: campaign.updatedAt,
});
