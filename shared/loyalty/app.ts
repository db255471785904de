import * as z from 'zod';

/** The prefix of the partition key of an app's item in the accounts table. */
export const APP = 'APP#';
export type AppKey = typeof APP;

/**
 * An award is one transaction, and DynamoDB allows 100 writes in it. It has a write for each image and up to 56 others: 50
 * for receipt lines, and one each for the validation, the purchase, the customer's awards, the campaign's awards, the
 * points of the whole validation, and the balance.
 */
export const IMAGES_PER_RECORD_MAX = 40;

const integer = (min: number, max: number) => z.int().min(min).max(max);

/** The settings of an app, without defaults, because a change contains only what it changes. */
export const appFields = {
  name: z.string().trim().min(1).max(100),
  distanceUnit: z.enum(['mi', 'km']).describe('The unit in the distance labels that customers read.'),
  placesEnabled: z.boolean().describe('If false, places are neither listed nor checked into.'),
  imagesEnabled: z.boolean(),
  radiusMeters: integer(1, 50_000).describe('The radius of a list that does not state one.'),
  limit: integer(1, 100).describe('The number of places in a list that does not state a limit.'),
  acceptedDistanceMeters: integer(1, 50_000).describe(
    'The largest distance of a check-in at a place that does not state one.',
  ),
  cooldownSeconds: integer(1, 31_622_400).describe('The least time between two check-ins of a customer at one place.'),
  checkInsPerDay: integer(1, 1_000).describe('The limit per customer and UTC day.'),
  checkInsPerBrandAndDay: integer(0, 1_000).describe('The limit per customer, brand and UTC day; 0 means no limit.'),
  imagesPerRecord: integer(1, IMAGES_PER_RECORD_MAX),
  submissionsPerDay: integer(1, 1_000).describe('The limit of image validations per customer and UTC day.'),
};

export const AppSettings = z.strictObject({
  name: appFields.name,
  distanceUnit: appFields.distanceUnit.default('km'),
  placesEnabled: appFields.placesEnabled.default(true),
  imagesEnabled: appFields.imagesEnabled.default(true),
  radiusMeters: appFields.radiusMeters.default(5_000),
  limit: appFields.limit.default(20),
  acceptedDistanceMeters: appFields.acceptedDistanceMeters.default(100),
  cooldownSeconds: appFields.cooldownSeconds.default(86_400),
  checkInsPerDay: appFields.checkInsPerDay.default(10),
  checkInsPerBrandAndDay: appFields.checkInsPerBrandAndDay.default(0),
  imagesPerRecord: appFields.imagesPerRecord.default(10),
  submissionsPerDay: appFields.submissionsPerDay.default(20),
});
export type AppSettings = z.output<typeof AppSettings>;

/** An application or site of a tenant that calls the loyalty interfaces. */
export interface App extends AppSettings {
  /** The id is also the api key. */
  readonly id: string;
  readonly tenant: string;
  readonly createdAt: string;
}

/** An app, with the hash of its secret. */
export interface KnownApp extends App {
  readonly secretHash: string;
}

/** Finds apps. */
export interface KnownApps {
  byId(id: string): Promise<KnownApp | undefined>;
}
