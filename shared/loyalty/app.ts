import * as z from 'zod';

/** How the partition key of an app's item in the accounts table begins. */
export const APP = 'APP#';
export type AppKey = typeof APP;

/** One transaction awards a record: it takes 100 writes, of which 56 may be lines of the receipt, counts and the like. */
export const IMAGES_PER_RECORD_MAX = 40;

const integer = (min: number, max: number) => z.int().min(min).max(max);

/** The settings of an app, none of them with a default: a change names only what it changes. */
export const appFields = {
  name: z.string().trim().min(1).max(100),
  /** Of the distances in labels that customers read. */
  distanceUnit: z.enum(['mi', 'km']),
  /** Off: places are neither listed nor checked into. */
  placesEnabled: z.boolean(),
  imagesEnabled: z.boolean(),
  /** Of a list of places that names no radius. */
  radiusMeters: integer(1, 50_000),
  /** Places in a list that names no limit. */
  limit: integer(1, 100),
  /** Largest distance of a check-in, where the place states none. */
  acceptedDistanceMeters: integer(1, 50_000),
  /** Between two check-ins of a customer at one place. */
  cooldownSeconds: integer(1, 31_622_400),
  /** Of a customer, on a UTC day. */
  checkInsPerDay: integer(1, 1_000),
  /** Of a customer, at places of one brand, on a UTC day; 0: no such limit. */
  checkInsPerBrandAndDay: integer(0, 1_000),
  imagesPerRecord: integer(1, IMAGES_PER_RECORD_MAX),
  /** Image validations of a customer, on a UTC day. */
  submissionsPerDay: integer(1, 1_000),
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
  /** Also its api key. */
  readonly id: string;
  readonly tenant: string;
  readonly createdAt: string;
}

/** An app, and what its secret is recognised by. */
export interface KnownApp extends App {
  readonly secretHash: string;
}

/** Where apps are found. */
export interface KnownApps {
  byId(id: string): Promise<KnownApp | undefined>;
}
