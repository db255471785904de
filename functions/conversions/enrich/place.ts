import { geohashAt, hexagonAt, plusCodeAt } from '../geography/cells-at.ts';
import { countryAt } from '../geography/country-at.ts';
import { isOnEarth, type Point } from '../geography/point.ts';
import { timeZoneAt } from '../geography/time-zone-at.ts';
import { readDecimal } from '../quantities/decimal.ts';
import { type Fields, textAt } from './record/fields.ts';
import { POINT } from './record/known-fields.ts';
import { type Derived, NOTHING, type Subject, type Unresolved } from './record/subject.ts';
import { SOURCES } from './sources.ts';

const GEOHASH_CHARACTERS = 9;

export const geo = (subject: Subject): Promise<Derived> =>
  atPoint(subject, async (point) => {
    const [timeZone, at] = await Promise.all([timeZoneAt(point), countryAt(point)]);
    const hash = geohashAt(point, GEOHASH_CHARACTERS);
    if (timeZone === undefined || hash === undefined) return NOTHING;
    return {
      enrichment: { geo: { timeZone, ...at, geohash: hash } },
      sources: {
        '/geo/timeZone': SOURCES.timeZones,
        ...(at ? { '/geo/country': SOURCES.borders } : {}),
        ...(at?.subdivision === undefined ? {} : { '/geo/subdivision': SOURCES.borders }),
      },
    };
  });

export const cells = (subject: Subject): Promise<Derived> =>
  atPoint(subject, async (point) => {
    const [plusCode, r5, r8] = [plusCodeAt(point), await hexagonAt(point, 5), await hexagonAt(point, 8)];
    if (plusCode === undefined || r5 === undefined || r8 === undefined) return NOTHING;
    return { enrichment: { cells: { plusCode, h3: { r5, r8 } } } };
  });

async function atPoint({ fields }: Subject, derive: (point: Point) => Promise<Derived>): Promise<Derived> {
  const found = pointIn(fields);
  if (found === undefined) return NOTHING;
  return 'problem' in found ? { enrichment: {}, unresolved: [found.problem] } : derive(found.point);
}

type PointFound = { readonly point: Point } | { readonly problem: Unresolved };

/** The first pair of coordinates that a record holds. */
export function pointIn(fields: Fields): PointFound | undefined {
  for (const [latitudePath, longitudePath] of POINT) {
    const [latitude, longitude] = [textAt(fields, [latitudePath]), textAt(fields, [longitudePath])];
    if (!latitude || !longitude) continue;
    const point = { latitude: degrees(latitude.value), longitude: degrees(longitude.value) };
    if (isOnEarth(point)) return { point };
    const path = Math.abs(point.latitude) <= 90 ? longitude.path : latitude.path;
    return { problem: { path, code: 'unparseable-value', detail: NO_POINT } };
  }
  return undefined;
}

const NO_POINT =
  'This is no point on earth. Send decimal degrees: a latitude from -90 to 90 and a longitude from -180 to 180.';

/** NaN for anything but a decimal number. */
const degrees = (text: string): number => (typeof readDecimal(text) === 'string' ? Number.NaN : Number(text));
