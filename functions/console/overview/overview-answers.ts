import * as z from 'zod/mini';

export const Reviews = z.object({
  items: z.array(z.object({ createdAt: z.string(), review: z.optional(z.object({ requestedAt: z.string() })) })),
  count: z.object({ value: z.number(), isMore: z.boolean() }),
});
export type Reviews = z.output<typeof Reviews>;

export const Used = z.object({
  liveIncluded: z.number(),
  liveUsed: z.number(),
  liveOverage: z.number(),
  hardLimit: z.nullable(z.number()),
  testQuota: z.number(),
  testUsed: z.number(),
  plan: z.string(),
  periodEnd: z.string(),
});
export type Used = z.output<typeof Used>;

/** A list of which only the emptiness matters. */
export const AnyItems = z.object({ items: z.array(z.unknown()) });
export type AnyItems = z.output<typeof AnyItems>;

export const PlaceNames = z.object({ items: z.array(z.object({ name: z.string() })) });
export type PlaceNames = z.output<typeof PlaceNames>;

const count = z.number();

/** The deliveries of the last 24 hours over time. */
export const Deliveries = z.object({
  periods: z.array(z.object({ from: z.string(), completed: count, failed: count, inProgress: count })),
  /** The time down to which they were counted, if there are too many. */
  reached: z.optional(z.string()),
});
export type Deliveries = z.output<typeof Deliveries>;
