import * as z from 'zod/mini';

export const AdUnit = z.object({
  id: z.string(),
  creativeId: z.number(),
  name: z.string(),
  placeIds: z.array(z.string()),
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type AdUnit = z.output<typeof AdUnit>;

/** The members of a place that the page of an ad unit needs. */
export const PlaceName = z.object({ id: z.string(), name: z.string() });
