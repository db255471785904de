import * as z from 'zod';
import type { TenantKey } from '#shared/ids';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const name = z.string().trim().min(1).max(200);

/** What may be bought: found on a receipt by its code, or by its name. */
const Product = z.strictObject({
  name,
  upc: z
    .string()
    .regex(/^\d{8,14}$/, 'must be 8 to 14 digits')
    .optional(),
  /** For each piece that was bought. */
  points: z.int().min(0).max(1_000_000),
});
export type Product = z.output<typeof Product>;

export const PERMALINK = /^[a-z0-9][a-z0-9-]{0,99}$/;

const identity = {
  /** What clients of the loyalty interfaces name the campaign by. */
  permalink: z.string().regex(PERMALINK, 'must be lower-case letters, digits and hyphens'),
  type: z.enum(['receipt', 'image']),
};

const fields = {
  name,
  startsAt: time,
  endsAt: time,
  /** Of the receipts, ISO 3166-1: it decides how dates and amounts are read. */
  country: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
  /** None: any store. */
  stores: z.array(name).max(200),
  /** None: any purchase. */
  products: z.array(Product).max(500),
  /** States, or beginnings of postal codes; none: any region. */
  regions: z.array(z.string().trim().min(1).max(50)).max(200),
  /** Null: no limit. */
  maxAwards: z.int().min(1).max(1_000_000_000).nullable(),
  /** 1: a second submission of a customer is refused as such. Null: no limit. */
  awardsPerCustomer: z.int().min(1).max(1_000_000).nullable(),
  /** For the valid record as a whole, besides the points of its products. */
  pointsPerValidation: z.int().min(0).max(1_000_000),
  /** A person decides every record of type `image`: no machine tells whether a picture belongs to a campaign. */
  reviewsEveryImage: z.boolean(),
  /** A person decides receipts above this total, in hundredths of the currency. Null: no limit. */
  reviewAboveTotal: z.int().min(0).nullable(),
  /** Where a receipt or an image counts once: in this campaign, or in all campaigns of the tenant. */
  receiptsOnce: z.enum(['campaign', 'tenant']),
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
  receiptsOnce: fields.receiptsOnce.default('campaign'),
};

export const CampaignFields = z.strictObject({ ...identity, ...fieldsWithDefaults });
export type CampaignFields = z.output<typeof CampaignFields>;

/**
 * What a change may hold besides what it changes, so that an answer may be sent back as it is. The permalink and the
 * type stay as they are: records refer to them. A `revision` that is not the current one is refused.
 */
const readOnlyMembers = {
  permalink: identity.permalink.optional(),
  type: identity.type.optional(),
  revision: z.int().optional(),
  id: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

/** All fields anew: those that are not stated get their defaults. */
export const CampaignReplacement = z.strictObject({ ...readOnlyMembers, ...fieldsWithDefaults }).transform(changeIn);
export const CampaignChange = z
  .strictObject({ ...readOnlyMembers, ...z.object(fields).partial().shape })
  .transform(changeIn)
  .refine(({ change }) => Object.keys(change).length > 0, 'Name at least one field to change.');
/** Members of a campaign, whether it is made or changed. */
export const SoundCampaign = z
  .strictObject({ ...readOnlyMembers, ...z.object(fields).partial().shape })
  .transform(changeIn);
export type CampaignChange = z.output<typeof CampaignChange> | z.output<typeof CampaignReplacement>;

interface ReadOnlyMembers {
  readonly permalink?: string | undefined;
  readonly type?: CampaignFields['type'] | undefined;
  readonly revision?: number | undefined;
  readonly id?: unknown;
  readonly createdAt?: unknown;
  readonly updatedAt?: unknown;
}

function changeIn<Change extends ReadOnlyMembers>(body: Change) {
  const { permalink, type, revision, id: _id, createdAt: _created, updatedAt: _updated, ...change } = body;
  return { change, permalink, type, revision };
}

/** Its `id` is the permalink. */
export interface Campaign extends CampaignFields, TenantKey {
  readonly campaignId: number;
  /** Counts its changes. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The campaign as the management API shows it. */
export const presentCampaign = (campaign: Campaign) => ({
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
  receiptsOnce: campaign.receiptsOnce,
  revision: campaign.revision,
  createdAt: campaign.createdAt,
  updatedAt: campaign.updatedAt,
});
