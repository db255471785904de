import * as z from 'zod/mini';

export const Campaign = z.object({
  id: z.number(),
  permalink: z.string(),
  name: z.string(),
  type: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  country: z.string(),
  currency: z.string(),
  stores: z.array(z.string()),
  products: z.array(z.object({ name: z.string(), upc: z.optional(z.string()), points: z.number() })),
  regions: z.array(z.string()),
  maxAwards: z.nullable(z.number()),
  awardsPerCustomer: z.nullable(z.number()),
  pointsPerValidation: z.number(),
  reviewsEveryImage: z.boolean(),
  reviewAboveTotal: z.nullable(z.number()),
  decidesAlone: z.nullable(z.boolean()),
  receiptsOnce: z.string(),
  awards: z.nullable(z.number()),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Campaign = z.output<typeof Campaign>;

const DayCount = z.object({ date: z.string(), valid: z.number(), invalid: z.number(), undecided: z.number() });
export type DayCount = z.output<typeof DayCount>;
export const DayCounts = z.object({ days: z.array(DayCount) });
