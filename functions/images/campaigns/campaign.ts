import * as z from 'zod';
import { named, ReadOnly } from '#shared/http/answer-schemas';
import type { TenantKey } from '#shared/ids';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const name = z.string().trim().min(1).max(200);

/** A product that counts for the campaign. A receipt line matches by its bar code or by its name. */
const Product = named(
  'NewProduct',
  z.strictObject({
    name,
    upc: z
      .string()
      .regex(/^\d{8,14}$/, 'must be 8 to 14 digits')
      .optional(),
    /** The points are given per unit bought. */
    points: z.int().min(0).max(1_000_000),
  }),
);
export type Product = z.output<typeof Product>;

export const PERMALINK = /^[a-z0-9][a-z0-9-]{0,99}$/;

const identity = {
  /** Clients of the loyalty interface name the campaign by its permalink. */
  permalink: z.string().regex(PERMALINK, 'must be lower-case letters, digits and hyphens'),
  type: z.enum(['receipt', 'image']),
};

const fields = {
  name,
  startsAt: time,
  endsAt: time,
  /** The country of the receipts (ISO 3166-1). It decides how dates and amounts are read. */
  country: z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  /** An ISO 4217 code. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'),
  /** Empty means any store. */
  stores: z.array(name).max(200),
  /** Empty means any purchase. */
  products: z.array(Product).max(500),
  /** States, or prefixes of postal codes. Empty means any region. */
  regions: z.array(z.string().trim().min(1).max(50)).max(200),
  /** Null means no limit. */
  maxAwards: z.int().min(1).max(1_000_000_000).nullable(),
  /**
   * With 1, a second submission of a customer gets code 13; with more, the first one above the limit gets code 16. Null
   * means no limit.
   */
  awardsPerCustomer: z.int().min(1).max(1_000_000).nullable(),
  /** A valid validation earns these points in addition to those of its products. */
  pointsPerValidation: z.int().min(0).max(1_000_000),
  /**
   * If true, a person decides every validation of type `image`: no program can tell whether a picture suits a campaign.
   */
  reviewsEveryImage: z.boolean(),
  /** A person decides receipts above this total, in hundredths of the currency. Null means no limit. */
  reviewAboveTotal: z.int().min(0).nullable(),
  /** The scope within which a receipt or an image counts once: this campaign, or all campaigns of the tenant. */
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

export const CampaignFields = named('NewCampaign', z.strictObject({ ...identity, ...fieldsWithDefaults }));
export type CampaignFields = z.output<typeof CampaignFields>;

/**
 * Members that a body may hold without changing them, so that clients may send an answer back. The permalink and the
 * type never change, because validations refer to them. A `revision` that is not current is refused.
 */
const readOnlyMembers = {
  permalink: identity.permalink.optional(),
  type: identity.type.optional(),
  revision: z.int().optional(),
  id: ReadOnly,
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
