import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import { type Page, PageQuery } from '#shared/http/page';
import { type Box, coveringBox } from '../geo/cells.ts';
import type { Point } from '../geo/distance.ts';
import { type IndexRange, keysOf, rangeAfter } from '../nearby/index-range.ts';
import type { PlaceIndex } from '../nearby/nearby.ts';

const BOX = /^-?\d+(\.\d+)?(,-?\d+(\.\d+)?){3}$/;

/** `box=west,south,east,north`, in degrees, in the order of a GeoJSON `bbox` (RFC 7946, section 5). */
const BoxText = z
  .string()
  .max(200)
  .regex(BOX, 'must be west,south,east,north in degrees')
  .transform((text): Box => {
    const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number);
    return { west, south, east, north };
  })
  .refine(
    ({ south, north }) => south <= north && south >= -90 && north <= 90,
    'needs latitudes from -90 to 90, south first',
  )
  .refine(({ west, east }) => Math.abs(west) <= 180 && Math.abs(east) <= 180, 'needs longitudes from -180 to 180');

/** A map shows more places at a time than a list. */
const IN_BOX_MAX = 500;

/** The ids of places, separated by commas. */
const Ids = z
  .string()
  .regex(/^[\w-]{1,64}(,[\w-]{1,64}){0,99}$/, 'must be 1 to 100 ids of places, separated by commas')
  .transform((text): readonly string[] => [...new Set(text.split(','))]);

/** The query of a list of places: all of them, newest first, those with a name or ids, or those inside a box. */
export const PlacesQuery = PageQuery.extend({
  limit: z.coerce.number().int().min(1).max(IN_BOX_MAX).default(50),
  box: BoxText.optional(),
  name: z.string().trim().min(1).max(200).optional(),
  ids: Ids.optional(),
})
  .refine(({ limit, box }) => box !== undefined || PageQuery.shape.limit.safeParse(limit).success, {
    path: ['limit'],
    message: 'must be at most 100 without a box',
  })
  .refine(({ box, name }) => box === undefined || name === undefined, {
    path: ['name'],
    message: 'cannot be combined with a box',
  })
  .refine(({ ids, box, name, cursor }) => ids === undefined || [box, name, cursor].every((one) => one === undefined), {
    path: ['ids'],
    message: 'cannot be combined with a box, a name or a cursor',
  });

/** One request reads at most this many ranges. A box around the globe has thousands, most of them empty. */
const RANGES_MAX = 60;
/** One request reads at most this many places, because ranges reach beyond the box. */
const READ_MAX = 2_000;

const isInside = ({ west, south, east, north }: Box, { latitude, longitude }: Point): boolean =>
  latitude >= south &&
  latitude <= north &&
  (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east);

/**
 * A page of the ids of places inside a box, in the order of the index. It may hold fewer than its limit, or none, and
 * still have a next page.
 */
export async function placesInBox<Place extends Point & { readonly id: string }>(
  index: PlaceIndex<Place>,
  box: Box,
  { limit, cursor }: PageQuery,
): Promise<Page<string>> {
  const list = `box ${Object.values(box).join()}`;
  const start = decodeCursor(list, cursor, ['cell', 'key']);
  const ids: string[] = [];
  let readTo: { cell: string; key: string } | undefined;
  let reads = 0;
  let placesRead = 0;
  for (const range of coveringBox(box).map(keysOf)) {
    let rest = start ? restAfter(range, { cell: start['cell'] ?? '', key: start['key'] ?? '' }) : range;
    while (rest) {
      if (ids.length >= limit || reads >= RANGES_MAX || placesRead >= READ_MAX)
        return page(ids, encodeCursor(list, readTo));
      reads += 1;
      const read = await index.read(rest, { limit: Math.min(limit - ids.length, READ_MAX - placesRead) });
      placesRead += read.places.length;
      ids.push(...read.places.filter((place) => isInside(box, place)).map(({ id }) => id));
      readTo = { cell: range.cell, key: read.readTo ?? range.to };
      rest = read.readTo === undefined ? undefined : rangeAfter(rest, read.readTo);
    }
  }
  return page(ids, undefined);
}

const page = (items: readonly string[], nextCursor: string | undefined): Page<string> => ({
  items,
  ...(nextCursor !== undefined && { nextCursor }),
});

/** The rest of a range after a position. Cells are ordered by their tokens. */
function restAfter(range: IndexRange, { cell, key }: { cell: string; key: string }): IndexRange | undefined {
  if (range.cell !== cell) return range.cell < cell ? undefined : range;
  if (key >= range.to) return undefined;
  return key < range.from ? range : rangeAfter(range, key);
}
