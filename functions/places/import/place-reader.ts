import { deletionIn, type ItemReader } from '#shared/import/rows/entries';
import type { Outcome } from '#shared/import/rows/entry';
import { type ImportMap, usableMap } from '#shared/import/rows/parse-import-map';
import { isFeature, positionIn } from './geometry.ts';
import { type ImportedPlace, isEmpty, isPlaceId, MAP_FIELDS, readPlace } from './place-fields.ts';

export interface PlaceReader extends ItemReader<ImportedPlace> {
  /** Reads an element of a FeatureCollection. */
  fromFeature(value: unknown): Outcome<ImportedPlace>;
}

/**
 * Reads places from the contents of a file.
 * @param map the text of the import map, if there is one
 * @param onNames takes the member names of each JSON object or Feature, before they are mapped
 */
export function placeReader(
  map: string | undefined,
  onNames: (names: readonly string[]) => void = () => undefined,
): PlaceReader {
  const importMap = usableMap(map, MAP_FIELDS);
  const fromFeature = (feature: JsonObject) => {
    onNames(Object.keys(featureMembers(feature)));
    return featureOutcome(feature, importMap);
  };
  return {
    fromJson(value) {
      if (!isObject(value)) return rejected('a place must be a JSON object');
      if (value['type'] === 'FeatureCollection')
        return rejected('this line is a FeatureCollection: give the file the extension .geojson');
      if (isFeature(value)) return fromFeature(value);
      onNames(Object.keys(value));
      return memberOutcome(value, importMap);
    },
    fromRows: (columns) => (cells) =>
      outcomeOf(
        mapped(
          columns.map((column, at) => [column, cells[at]?.trim()]),
          importMap,
        ),
      ),
    fromFeature: (value) => (isFeature(value) ? fromFeature(value) : rejected('it is not a GeoJSON Feature')),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const rejected = (reason: string): Outcome<never> => ({ kind: 'rejected', reason });

function memberOutcome(members: JsonObject, map: ImportMap): Outcome<ImportedPlace> {
  const named = withTextId(members);
  return deletionOf(named) ?? outcomeOf(mapped(Object.entries(named), map));
}

const featureMembers = ({ id, properties }: JsonObject): JsonObject =>
  withTextId({ ...(isObject(properties) && properties), ...(!isEmpty(id) && { id }) });

/** The properties are the members. Latitude and longitude come from the geometry, whatever the properties say. */
function featureOutcome(feature: JsonObject, map: ImportMap): Outcome<ImportedPlace> {
  const named = featureMembers(feature);
  const deletion = deletionOf(named);
  if (deletion) return deletion;
  const members = mapped(Object.entries(named), map);
  const position = positionIn(feature['geometry']);
  if (!position.ok) return outcomeOf(members, position.reason);
  return outcomeOf(members.set('latitude', position.latitude).set('longitude', position.longitude));
}

/** Converts a numeric id to text, because many files number their places. */
const withTextId = (members: JsonObject): JsonObject =>
  typeof members['id'] === 'number' ? { ...members, id: String(members['id']) } : members;

const deletionOf = (members: JsonObject) => deletionIn(members, { isId: isPlaceId, of: 'a place' });

function outcomeOf(members: ReadonlyMap<string, unknown>, fault?: string): Outcome<ImportedPlace> {
  const read = readPlace(members, fault);
  return read.ok ? { kind: 'item', item: read.place } : rejected(read.reasons.join('; '));
}

/** Renames the members by the map, and adds constants where a value is missing. */
function mapped(
  members: readonly (readonly [string, unknown])[],
  { columns, constants }: ImportMap,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, value] of members) {
    for (const field of columns.get(name) ?? [name]) {
      const before = values.get(field);
      // Two values for one field are both kept, so that the place is refused.
      if (isEmpty(before)) values.set(field, value);
      else if (!isEmpty(value)) values.set(field, [before, value]);
    }
  }
  for (const [field, value] of constants) if (isEmpty(values.get(field))) values.set(field, value);
  return values;
}
