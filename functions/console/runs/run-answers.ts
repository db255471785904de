import * as z from 'zod/mini';

/** A run, as the delivery log of the management API lists it. */
export const Run = z.object({
  id: z.string(),
  record: z.string(),
  apiConfigurationId: z.string(),
  apiConfigurationName: z.string(),
  ruleId: z.string(),
  eventId: z.string(),
  module: z.string(),
  moduleName: z.string(),
  trigger: z.string(),
  status: z.string(),
  attempts: z.number(),
  maxAttempts: z.number(),
  responseCode: z.nullable(z.number()),
  error: z.nullable(z.string()),
  triggeredAt: z.string(),
  completedAt: z.nullable(z.string()),
  durationMs: z.nullable(z.number()),
  nextAttemptAt: z.nullable(z.string()),
  waitsForEndpoint: z.boolean(),
  paused: z.boolean(),
  idempotencyKey: z.string(),
  replayOf: z.nullable(z.string()),
  bulkReplay: z.nullable(z.string()),
  replays: z.number(),
  resolved: z.boolean(),
  resolvedBy: z.nullable(z.string()),
});
export type Run = z.output<typeof Run>;

export const RunPage = z.object({
  items: z.array(Run),
  nextCursor: z.optional(z.string()),
  /** The time back to which the log was searched. */
  reached: z.optional(z.string()),
});

const millis = z.optional(z.number());

export const Attempt = z.object({
  attempt: z.number(),
  part: z.number(),
  targetUrl: z.string(),
  startedAt: z.string(),
  outcome: z.string(),
  responseCode: z.nullable(z.number()),
  responseBody: z.nullable(z.string()),
  responseBodyEncoding: z.nullable(z.string()),
  responseBodyTruncated: z.boolean(),
  late: z.boolean(),
  timings: z.nullable(
    z.object({
      dnsMillis: millis,
      connectMillis: millis,
      tlsMillis: millis,
      firstByteMillis: millis,
      totalMillis: z.number(),
    }),
  ),
});
export type Attempt = z.output<typeof Attempt>;

/** The headers of a request, with masked secrets. */
export const SentHeaders = z.array(z.object({ name: z.string(), value: z.string() }));

export const RunDetails = z.extend(Run, {
  targetUrl: z.string(),
  payload: z.nullable(z.string()),
  headers: SentHeaders,
  attemptLog: z.array(Attempt),
});
export type RunDetails = z.output<typeof RunDetails>;

/** The configurations or modules to choose from. */
export const Named = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });

export const RunId = z.object({ id: z.string() });
