import { SHOWN } from '#shared/import/rows/reasons';

type Position =
  | { readonly ok: true; readonly latitude: number; readonly longitude: number }
  | { readonly ok: false; readonly reason: string };

type JsonObject = Readonly<Record<string, unknown>>;

export const isFeature = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Feature';

/** The position `[longitude, latitude]` of a Point geometry; an altitude may follow. */
export function positionIn(geometry: unknown): Position {
  if (geometry === undefined || geometry === null) return { ok: false, reason: 'the Feature has no geometry' };
  const { type, coordinates } = geometry as { readonly type?: unknown; readonly coordinates?: unknown };
  if (typeof type !== 'string') return { ok: false, reason: 'the geometry has no type' };
  if (type !== 'Point')
    return { ok: false, reason: `the geometry is a ${type.slice(0, SHOWN)}, but a place needs a Point` };
  const [longitude, latitude]: readonly unknown[] = Array.isArray(coordinates) ? coordinates : [];
  if (typeof longitude !== 'number' || typeof latitude !== 'number')
    return { ok: false, reason: 'the coordinates of a Point are [longitude, latitude]' };
  return { ok: true, latitude, longitude };
}
