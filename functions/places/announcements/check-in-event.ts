import * as z from 'zod/mini';
import type { EventData } from '#shared/events/built-in-events';
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

/**
 * The event of a check-in. It has the check-in's id, so a repeated announcement has no effect. Throws if the item is no
 * check-in.
 */
export function checkInEvent(item: unknown): WebhookTrigger {
  const checkIn = z.parse(CheckInItem, item);
  const { id, tenant, app, customer, externalId, place, placeName, brand, points, creativeId, distance } = checkIn;
  const data: EventData<'places', 'Check-in made'> = {
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
