import * as z from 'zod/mini';

export const System = z.object({
  measuredAt: z.string(),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.number(),
      inFlight: z.number(),
      delayed: z.number(),
      oldestSeconds: z.optional(z.number()),
    }),
  ),
  deadLetters: z.array(z.object({ name: z.string(), count: z.number(), redriveAs: z.optional(z.string()) })),
  alarms: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      since: z.string(),
      reason: z.string(),
      meaning: z.optional(z.string()),
      runbook: z.optional(z.string()),
    }),
  ),
  dueWork: z.array(z.object({ name: z.string(), oldestSeconds: z.number() })),
});
export type System = z.output<typeof System>;
export type Queue = System['queues'][number];
export type Alarm = System['alarms'][number];
export type DeadLetters = System['deadLetters'][number];
