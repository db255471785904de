import * as z from 'zod/mini';

export const Place = z.object({
  id: z.string(),
  venueId: z.number(),
  name: z.string(),
  icon: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  brand: z.string(),
  points: z.number(),
  acceptedDistanceMeters: z.optional(z.number()),
  closed: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Place = z.output<typeof Place>;

export const PlacePage = z.object({ items: z.array(Place), nextCursor: z.optional(z.string()) });

export const CheckIn = z.object({
  id: z.string(),
  time: z.string(),
  placeId: z.string(),
  placeName: z.optional(z.string()),
  customer: z.string(),
  app: z.optional(z.string()),
  points: z.number(),
  distance: z.optional(z.number()),
});
export type CheckIn = z.output<typeof CheckIn>;

export const CheckInPage = z.object({ items: z.array(CheckIn), nextCursor: z.optional(z.string()) });

export const CustomerIds = z.object({ items: z.array(z.object({ id: z.string() })) });
