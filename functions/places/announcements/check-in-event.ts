import * as z from 'zod/mini';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';

/** The item of the last check-in at a place, from which the event is made. */
const CheckInItem = z.object({
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

/** The variables that rules of `Check-in made` may use, in addition to those of every event. */
interface CheckInVariables extends Readonly<Record<string, unknown>> {
  readonly app: string;
  readonly customer: string;
  /** Null if the customer is anonymous or has no external id. */
  readonly externalId: string | null;
  readonly place: string;
  readonly placeName: string;
  readonly brand: string;
  readonly points: number;
  /** The creative id of the ad unit that promoted the place; null if there was none. */
  readonly creativeId: number | null;
  /** The distance in metres. */
  readonly distance: number;
  readonly checkedInAt: string;
  readonly canCheckInAgainAt: string;
}

/**
 * The event of a check-in. It has the check-in's id, so a repeated announcement has no effect. Throws if the item is no
 * check-in.
 */
export function checkInEvent(item: unknown): WebhookTrigger {
  const checkIn = z.parse(CheckInItem, item);
  const { id, tenant, app, customer, externalId, place, placeName, brand, points, creativeId, distance } = checkIn;
  const data: CheckInVariables = {
    app,
    customer,
    externalId: externalId ?? null,
    place,
    placeName,
    brand,
    points,
    creativeId: creativeId ?? null,
    distance,
    checkedInAt: checkIn.at,
    canCheckInAgainAt: new Date(checkIn.nextAt).toISOString(),
  };
  return {
    tenant,
    id: `places-${id}`,
    module: 'places',
    trigger: 'Check-in made',
    recordType: 'check-in',
    recordId: id,
    data,
    time: checkIn.at,
  };
}
