import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';

export const SentHeader = named('SentHeader', z.object({ name: z.string(), value: z.string() }));

/** The ways in which an attempt ends. */
export const OUTCOMES = [
  'succeeded',
  'http_status',
  'interrupted',
  'blocked_target',
  'invalid_request',
  'dns_failed',
  'connection_refused',
  'connection_failed',
  'tls_failed',
  'connection_closed',
  'invalid_response',
  'timeout',
] as const;

const Timings = named(
  'Timings',
  z.object({
    dnsMillis: z.number().optional(),
    connectMillis: z.number().optional(),
    tlsMillis: z.number().optional(),
    firstByteMillis: z.number().optional(),
    totalMillis: z.number(),
  }),
  'The milliseconds of each completed phase.',
);

/** An attempt in answers. */
export const AttemptLine = named(
  'Attempt',
  z.object({
    attempt: z.int().meta({ description: 'Its number, from 1.' }),
    part: z.int().meta({ description: 'How often a worker of this attempt was lost before.' }),
    targetUrl: z.string(),
    startedAt: Time,
    outcome: z.enum(OUTCOMES),
    responseCode: z.int().nullable(),
    responseBody: z.string().nullable(),
    responseBodyEncoding: z.enum(['utf8', 'base64']).nullable(),
    responseBodyTruncated: z.boolean(),
    late: z.boolean().meta({ description: 'True if the response came too late to count.' }),
    timings: Timings.nullable(),
    traceId: z.string().nullable(),
  }),
  'One POST to the target, or one whose worker was lost.',
);
