import * as z from 'zod/mini';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';

/** What the item of a visit tells of the check-in that made it. */
const Visit = z.object({
  id: z.string(),
  tenant: z.string(),
  app: z.string(),
  customer: z.string(),
  externalId: z.optional(z.string()),
  place: z.string(),
  placeName: z.string(),
  brand: z.string(),
  points: z.int(),
  creativeId: z.optional(z.int()),
  distance: z.number(),
  at: z.string(),
  nextAt: z.int(),
});

/** The variables that rules of `Check-in made` may use, besides those of every event. */
interface CheckInMade extends Readonly<Record<string, unknown>> {
  readonly app: string;
  readonly customer: string;
  /** Null: of an anonymous customer, or of one without an external id. */
  readonly externalId: string | null;
  readonly place: string;
  readonly placeName: string;
  readonly brand: string;
  readonly points: number;
  /** Of the ad unit that promoted the place; null: none. */
  readonly creativeId: number | null;
  /** Metres. */
  readonly distance: number;
  readonly checkedInAt: string;
  readonly canCheckInAgainAt: string;
}

/** The event of a check-in. Its id is that of the check-in: told twice, it counts once. Throws for an item that is no visit. */
export function checkInMade(item: unknown): WebhookTrigger {
  const visit = z.parse(Visit, item);
  const { id, tenant, app, customer, externalId, place, placeName, brand, points, creativeId, distance } = visit;
  const data: CheckInMade = {
    app,
    customer,
    externalId: externalId ?? null,
    place,
    placeName,
    brand,
    points,
    creativeId: creativeId ?? null,
    distance,
    checkedInAt: visit.at,
    canCheckInAgainAt: new Date(visit.nextAt).toISOString(),
  };
  return {
    tenant,
    id: `places-${id}`,
    module: 'places',
    trigger: 'Check-in made',
    recordType: 'check-in',
    recordId: id,
    data,
    time: visit.at,
  };
}
