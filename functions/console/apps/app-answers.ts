import * as z from 'zod/mini';

export const App = z.object({
  id: z.string(),
  name: z.string(),
  distanceUnit: z.string(),
  placesEnabled: z.boolean(),
  imagesEnabled: z.boolean(),
  radiusMeters: z.number(),
  limit: z.number(),
  acceptedDistanceMeters: z.number(),
  cooldownSeconds: z.number(),
  checkInsPerDay: z.number(),
  checkInsPerBrandAndDay: z.number(),
  imagesPerRecord: z.number(),
  submissionsPerDay: z.number(),
  createdAt: z.string(),
});
export type App = z.output<typeof App>;

/** The response that contains the secret, only once. */
export const AppWithSecret = z.extend(App, { apiSecret: z.string() });
export type AppWithSecret = z.output<typeof AppWithSecret>;
