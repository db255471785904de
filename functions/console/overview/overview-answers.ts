import * as z from 'zod/mini';

const next = z.optional(z.string());

export const SomeRuns = z.object({ items: z.array(z.object({ triggeredAt: z.string() })), nextCursor: next });
export type SomeRuns = z.output<typeof SomeRuns>;

export const Reviews = z.object({
  items: z.array(z.object({ createdAt: z.string(), review: z.optional(z.object({ requestedAt: z.string() })) })),
  count: z.object({ value: z.number(), isMore: z.boolean() }),
});
export type Reviews = z.output<typeof Reviews>;

export const Requests = z.object({
  items: z.array(z.object({ status: z.string(), downloaded: z.number(), requested: z.number() })),
  nextCursor: next,
});
export type Requests = z.output<typeof Requests>;

export const Imports = z.object({
  items: z.array(z.object({ status: z.string(), rejected: z.number(), startedAt: z.string() })),
  nextCursor: next,
});
export type Imports = z.output<typeof Imports>;

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
