/** Lifecycle rules: what a bucket deletes by itself, and when. */
import { z } from 'zod';
import { flag, ignored, numeric } from '../cloudformation/property.ts';

const days = numeric.pipe(z.int().positive());

/** A rule as templates declare it. */
export const LifecycleRule = z
  .strictObject({
    Id: ignored,
    Status: z.enum(['Enabled', 'Disabled']),
    Prefix: z.string().default(''),
    ExpirationInDays: days.optional(),
    /** Deletes delete markers that are the only version of their key. */
    ExpiredObjectDeleteMarker: flag.optional(),
    NoncurrentVersionExpiration: z.strictObject({ NoncurrentDays: days }).optional(),
    // These properties change the price of an object and nothing that a caller sees.
    Transitions: ignored,
    AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: days }).optional(),
  })
  .refine(({ ExpirationInDays, ExpiredObjectDeleteMarker }) => !ExpirationInDays || !ExpiredObjectDeleteMarker, {
    error: 'ExpiredObjectDeleteMarker cannot be specified with ExpirationInDays.',
  });
export type LifecycleRule = z.output<typeof LifecycleRule>;

const DAY_MS = 24 * 3600 * 1000;

/** Returns the time before which objects have expired. As on S3, they expire at the first midnight (UTC) after their days. */
export function expiryCutoff(days: number, now: Date): number {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return midnight - days * DAY_MS;
}
