import * as z from 'zod/mini';

const Line = z.object({
  id: z.string(),
  time: z.string(),
  tenant: z.nullable(z.string()),
  actor: z.object({
    kind: z.enum(['person', 'key']),
    id: z.string(),
    name: z.nullable(z.string()),
    operator: z.boolean(),
  }),
  action: z.string(),
  target: z.record(z.string(), z.string()),
  createdId: z.nullable(z.string()),
  fields: z.array(z.string()),
  values: z.record(z.string(), z.string()),
  address: z.string(),
  via: z.enum(['console', 'api']),
  outcome: z.enum(['done', 'refused', 'failed', 'unknown']),
  status: z.nullable(z.number()),
});
export type Line = z.output<typeof Line>;

export const LinePage = z.object({ items: z.array(Line), nextCursor: z.optional(z.string()) });
