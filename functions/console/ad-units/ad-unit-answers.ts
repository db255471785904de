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

/** The places of an ad unit, as far as its page needs them. */
export const PlaceNames = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });
