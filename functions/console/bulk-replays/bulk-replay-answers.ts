import * as z from 'zod/mini';

export const BulkReplay = z.object({
  id: z.string(),
  status: z.string(),
  filter: z.object({
    from: z.string(),
    to: z.optional(z.nullable(z.string())),
    module: z.optional(z.nullable(z.string())),
    configuration: z.optional(z.nullable(z.string())),
    record: z.optional(z.nullable(z.string())),
  }),
  replayed: z.number(),
  skipped: z.number(),
  skippedBecause: z.record(z.string(), z.number()),
  reached: z.string(),
  createdAt: z.string(),
  completedAt: z.nullable(z.string()),
});
export type BulkReplay = z.output<typeof BulkReplay>;

export const BulkReplayPage = z.object({ items: z.array(BulkReplay), nextCursor: z.optional(z.string()) });

/** The share of its period that a bulk replay has processed, from 0 to 1. It runs from the newest run to the oldest. */
export function shareDone({ status, filter, reached, createdAt }: BulkReplay): number {
  if (status === 'COMPLETED') return 1;
  const end = Math.min(Date.parse(filter.to ?? createdAt), Date.parse(createdAt));
  const whole = end - Date.parse(filter.from);
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, (end - Date.parse(reached)) / whole));
}
