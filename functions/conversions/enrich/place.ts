import type { JsonObject } from '../items/caller-record.ts';
import { GEOHASH_LENGTHS, PLUS_CODE_LENGTHS, writeGeohash, writePlusCode } from '../values/coordinates/cell-codes.ts';
import { asNumber, type Coordinate, onEarth } from '../values/coordinates/coordinate.ts';
import { countryAt } from '../values/geography/country-at.ts';
import { hexagonAt } from '../values/geography/hexagon-at.ts';
import type { Point } from '../values/geography/point.ts';
import { timeZoneAt } from '../values/geography/time-zone-at.ts';
import { decimalOf } from '../values/quantities/decimal.ts';
import { ZERO } from '../values/quantities/rational.ts';
import { type FieldValue, textAt } from './record/fields.ts';
import { POINTS } from './record/points.ts';
import { type Derivation, NOTHING, type Subject, type UnresolvedMember, unresolvedAt } from './record/subject.ts';
import { SOURCES } from './sources.ts';

export const geo = (subject: Subject): Promise<Derivation> =>
  atPoint(subject, async (coordinate) => {
    const point = pointOf(coordinate);
    const [timeZone, at] = await Promise.all([timeZoneAt(point), countryAt(point)]);
    if (timeZone === undefined) return NOTHING;
    return {
      enrichment: { geo: { timeZone, ...at, geohash: writeGeohash(coordinate, GEOHASH_LENGTHS.usual) } },
      sources: {
        '/geo/timeZone': SOURCES.timeZones,
        ...(at && { '/geo/country': SOURCES.borders }),
        ...(at?.subdivision !== undefined && { '/geo/subdivision': SOURCES.borders }),
      },
    };
  });

export const cells = (subject: Subject): Promise<Derivation> =>
  atPoint(subject, async (coordinate) => {
    const point = pointOf(coordinate);
    const [r5, r8] = await Promise.all([hexagonAt(point, 5), hexagonAt(point, 8)]);
    if (r5 === undefined || r8 === undefined) return NOTHING;
    const plusCode = writePlusCode(coordinate, PLUS_CODE_LENGTHS.usual);
    return { enrichment: { cells: { plusCode, h3: { r5, r8 } } } };
  });

async function atPoint({ fields }: Subject, derive: (at: Coordinate) => Promise<Derivation>): Promise<Derivation> {
  const match = coordinateIn(fields);
  if (match === undefined) return NOTHING;
  return 'problem' in match ? { enrichment: {}, unresolved: [match.problem] } : derive(match.coordinate);
}

const pointOf = ({ latitude, longitude }: Coordinate): Point => ({
  latitude: asNumber(latitude),
  longitude: asNumber(longitude),
});

type CoordinateFound = { readonly coordinate: Coordinate } | { readonly problem: UnresolvedMember };

/** The first pair of decimal degrees in a record. */
export function coordinateIn(fields: JsonObject): CoordinateFound | undefined {
  for (const { latitudes, longitudes } of POINTS) {
    const [latitude, longitude] = [textAt(fields, latitudes), textAt(fields, longitudes)];
    if (latitude && longitude) return coordinateOf(latitude, longitude);
  }
  return undefined;
}

function coordinateOf(latitude: FieldValue<string>, longitude: FieldValue<string>): CoordinateFound {
  let path = latitude.path;
  try {
    const north = decimalOf(latitude.value, 'latitude');
    onEarth({ latitude: north, longitude: ZERO });
    path = longitude.path;
    return { coordinate: onEarth({ latitude: north, longitude: decimalOf(longitude.value, 'longitude') }) };
  } catch (error) {
    return { problem: unresolvedAt(path, error) };
  }
}
