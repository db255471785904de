import * as z from 'zod/mini';

const text = z.optional(z.string());

const Line = z.object({
  name: z.string(),
  description: text,
  price: z.string(),
  quantity: z.number(),
  points: z.optional(z.number()),
});
export type Line = z.output<typeof Line>;

const Claim = z.object({ by: z.string(), byName: text, until: z.string() });
export const Claimed = z.object({ claim: Claim });

/** The member of a campaign that a reviewer must know. */
export const CampaignPoints = z.object({ pointsPerValidation: z.number() });

export const Submitted = z.object({
  id: z.number(),
  revision: z.number(),
  validationType: z.string(),
  status: z.string(),
  needsReview: z.boolean(),
  campaignPermalink: z.string(),
  customer: z.string(),
  customerExternalId: text,
  anonymous: z.boolean(),
  imageCount: z.number(),
  review: z.optional(
    z.object({
      requestedAt: z.string(),
      until: z.string(),
      doubts: z.array(z.object({ reason: z.string(), code: z.number() })),
      proposal: z.optional(z.object({ storeName: text, receiptDate: text, results: z.array(Line) })),
    }),
  ),
  claim: z.optional(Claim),
  invalidCode: z.optional(z.number()),
  invalidReason: text,
  storeName: text,
  receiptDate: text,
  results: z.optional(z.array(Line)),
  /** The points that the customer was awarded. */
  points: z.optional(z.number()),
  createdAt: z.string(),
});
export type Submitted = z.output<typeof Submitted>;

export const SubmittedPage = z.object({
  items: z.array(Submitted),
  nextCursor: text,
  /** The count, up to a limit. */
  count: z.optional(z.object({ value: z.number(), isMore: z.boolean() })),
});
export type SubmittedPage = z.output<typeof SubmittedPage>;

const Box = z.object({
  page: z.number(),
  /** The corners as fractions of the width and height of the upright page. */
  corners: z.array(z.tuple([z.number(), z.number()])),
  text,
  confidence: z.optional(z.number()),
});
export type Box = z.output<typeof Box>;
const box = z.optional(Box);

const ReadLine = z.object({ name: z.string(), quantity: z.number(), price: z.string() });

export const Reading = z.object({
  storeName: text,
  receiptDate: text,
  total: text,
  subtotal: text,
  tax: text,
  currency: text,
  items: z.array(z.extend(ReadLine, { box, readings: z.optional(z.array(ReadLine)) })),
  /** The value in each independent reading. */
  readings: z.optional(
    z.object({ storeName: z.array(z.string()), receiptDate: z.array(z.string()), total: z.array(z.string()) }),
  ),
  boxes: z.object({ storeName: box, receiptDate: box, total: box, subtotal: box, tax: box }),
});
export type Reading = z.output<typeof Reading>;

export const Picture = z.object({
  id: z.string(),
  format: text,
  bytes: z.optional(z.number()),
  url: text,
  /** The reason why the last upload of a picture that has not arrived was refused. */
  uploadRefusal: z.optional(z.enum(['too-large', 'no-image'])),
  examination: z.optional(
    z.object({
      width: z.optional(z.number()),
      height: z.optional(z.number()),
      pages: z.optional(z.number()),
      problem: text,
    }),
  ),
  reading: z.optional(Reading),
});
export type Picture = z.output<typeof Picture>;

export const Details = z.extend(Submitted, {
  decision: z.optional(z.object({ status: z.string(), invalidReason: text, by: text, at: z.string() })),
  canExamineAgain: z.boolean(),
  images: z.array(Picture),
});
export type Details = z.output<typeof Details>;
