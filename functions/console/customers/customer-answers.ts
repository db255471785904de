import * as z from 'zod/mini';

export const Customer = z.object({
  id: z.string(),
  externalId: z.optional(z.string()),
  email: z.optional(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  availablePoints: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Customer = z.output<typeof Customer>;
