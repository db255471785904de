import * as z from 'zod';

/** A conversion that is counted or given back after its request, through a queue, once for each id. */
export const LateUsage = z.object({
  id: z.string(),
  tenant: z.string(),
  mode: z.enum(['live', 'test']),
  /** The time of the request, in milliseconds. */
  at: z.int(),
  /** The counter of the conversion; absent if the function had never seen the account. */
  counter: z.string().optional(),
  amount: z.union([z.literal(1), z.literal(-1)]),
});
export type LateUsage = z.output<typeof LateUsage>;
