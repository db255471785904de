import * as z from 'zod/mini';

export const Erasure = z.object({
  id: z.string(),
  /** Absent of an account, and once the erasure is complete. */
  customer: z.optional(z.string()),
  status: z.enum(['running', 'completed']),
  requestedAt: z.string(),
  /** The times, by the domain that has erased its part. */
  erasedAt: z.record(z.string(), z.string()),
  completedAt: z.optional(z.string()),
  remains: z.array(z.object({ what: z.string(), why: z.string() })),
});
export type Erasure = z.output<typeof Erasure>;

export const CustomerId = z.object({ id: z.string() });
export const CustomerIds = z.object({ items: z.array(CustomerId) });

export const ErasurePage = z.object({ items: z.array(Erasure), nextCursor: z.optional(z.string()) });
