import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import type { TenantKey } from '#shared/ids';
import { PlaceId } from '../catalog/place.ts';

const PLACES_MAX = 1_000;

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const fields = {
  name: z.string().trim().min(1).max(200).describe('The name, for people who manage ad units.'),
  placeIds: z
    .array(PlaceId)
    .min(1)
    .max(PLACES_MAX)
    .transform((ids) => [...new Set(ids)])
    .describe('The places that are promoted.'),
  startsAt: time.nullable().describe('When it begins. Null means that it has always been active.'),
  endsAt: time.nullable().describe('When it ends. Null means never.'),
};

/** An advertisement that promotes places for a time. */
export const AdUnitFields = named(
  'NewAdUnit',
  z.strictObject({
    ...fields,
    startsAt: fields.startsAt.default(null),
    endsAt: fields.endsAt.default(null),
  }),
);
export type AdUnitFields = z.output<typeof AdUnitFields>;

export const AdUnitChange = z
  .strictObject(fields)
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'AdUnitChange', minProperties: 1 });
export type AdUnitChange = z.output<typeof AdUnitChange>;

export interface AdUnit extends AdUnitFields, TenantKey {
  /** Clients of the loyalty interface refer to the ad unit by this number. */
  readonly creativeId: number;
  /** The revision increments with each change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const isActive = ({ startsAt, endsAt }: Pick<AdUnit, 'startsAt' | 'endsAt'>, now: number): boolean =>
  (startsAt === null || Date.parse(startsAt) <= now) && (endsAt === null || now < Date.parse(endsAt));

/** The ad unit as the management API shows it. */
export const presentAdUnit = (unit: AdUnit) => ({
  id: unit.id,
  creativeId: unit.creativeId,
  name: unit.name,
  placeIds: unit.placeIds,
  startsAt: unit.startsAt,
  endsAt: unit.endsAt,
  createdAt: unit.createdAt,
  updatedAt: unit.updatedAt,
});
