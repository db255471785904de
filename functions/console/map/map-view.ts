/** A bounding box in degrees, ordered as in GeoJSON. West is greater than east if the box crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/** The world without the polar regions. */
export const WORLD: Box = { west: -180, south: -60, east: 180, north: 75 };

/** The view of a map in the Mercator projection: its centre and scale. */
export interface MapView {
  readonly longitude: number;
  /** The y of the centre, in radians of the projection. */
  readonly y: number;
  /** The scale in pixels of the drawing. */
  readonly pixelsPerRadian: number;
}

/** The size of the drawing in its own pixels. */
export const MAP_WIDTH = 640;
export const MAP_HEIGHT = 440;

const RADIANS = Math.PI / 180;
/** The highest latitude, since the projection never reaches the poles. */
const LATITUDE_MAX = 85;
/** The scale at which the width shows the whole world. */
const SMALLEST_SCALE = MAP_WIDTH / (2 * Math.PI);
/** The scale at which the width shows about 250 m. */
const LARGEST_SCALE = 1.6e7;

/** Returns the y of a latitude in the Mercator projection, in radians. It ends at the highest latitude of a view. */
export const mercatorY = (latitude: number): number => {
  const held = Math.min(LATITUDE_MAX, Math.max(-LATITUDE_MAX, latitude));
  return Math.log(Math.tan(Math.PI / 4 + (held * RADIANS) / 2));
};
const latitudeOf = (y: number): number => (2 * Math.atan(Math.exp(y)) - Math.PI / 2) / RADIANS;
/** Normalizes a longitude to the range from -180 to below 180. */
const turned = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;
const clamped = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Parses `west,south,east,north`; undefined for any other text. */
export function boxIn(text: string): Box | undefined {
  if (!/^-?\d{1,3}(\.\d{1,9})?(,-?\d{1,3}(\.\d{1,9})?){3}$/.test(text)) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number);
  const isOnGlobe = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90;
  return isOnGlobe && south <= north ? { west, south, east, north } : undefined;
}

export const boxText = ({ west, south, east, north }: Box): string =>
  [west, south, east, north].map((degrees) => String(Number(degrees.toFixed(5)))).join();

/** Returns the smallest view that contains a box. */
export function viewOf({ west, south, east, north }: Box): MapView {
  const width = east >= west ? east - west : east - west + 360;
  const [bottom, top] = [mercatorY(south), mercatorY(north)];
  const scale = Math.min(MAP_WIDTH / (width * RADIANS), MAP_HEIGHT / (top - bottom));
  return withinBounds({ longitude: west + width / 2, y: (top + bottom) / 2, pixelsPerRadian: scale });
}

/** Returns the view whose width shows this many metres on both sides of a position. */
export const viewAround = ({ longitude, latitude }: Position, meters: number): MapView => {
  const y = mercatorY(latitude);
  const scale = (Math.cos(latitudeOf(y) * RADIANS) * EARTH_METERS * MAP_WIDTH) / 2 / meters;
  return withinBounds({ longitude, y, pixelsPerRadian: scale });
};

/** Limits a view to the world and to the allowed scales. */
function withinBounds({ longitude, y, pixelsPerRadian }: MapView): MapView {
  const scale = clamped(pixelsPerRadian, SMALLEST_SCALE, LARGEST_SCALE);
  const room = mercatorY(LATITUDE_MAX) - MAP_HEIGHT / 2 / scale;
  return { longitude: turned(longitude), y: clamped(y, -room, room), pixelsPerRadian: scale };
}

/** Returns the bounding box of a view. */
export function boxOf(view: MapView): Box {
  const half = widthOf(view) / 2;
  const isWholeWay = half >= 180 - 1e-9;
  const high = MAP_HEIGHT / 2 / view.pixelsPerRadian;
  return {
    west: isWholeWay ? -180 : turned(view.longitude - half),
    south: latitudeOf(view.y - high),
    east: isWholeWay ? 180 : turned(view.longitude + half),
    north: latitudeOf(view.y + high),
  };
}

/** Returns the width of a view in degrees of longitude. */
export const widthOf = ({ pixelsPerRadian }: MapView): number => MAP_WIDTH / pixelsPerRadian / RADIANS;

/** Returns the point at which a position is drawn; undefined outside the drawing. */
export function pointAt(view: MapView, { longitude, latitude }: Position): readonly [x: number, y: number] | undefined {
  const x = MAP_WIDTH / 2 + turned(longitude - view.longitude) * RADIANS * view.pixelsPerRadian;
  const y = MAP_HEIGHT / 2 - (mercatorY(latitude) - view.y) * view.pixelsPerRadian;
  return x >= 0 && x <= MAP_WIDTH && y >= 0 && y <= MAP_HEIGHT ? [x, y] : undefined;
}

export const zoomed = (view: MapView, factor: number): MapView =>
  withinBounds({ ...view, pixelsPerRadian: view.pixelsPerRadian * factor });

/** Moves a view by `right` and `up`, as fractions of the width and height of the drawing. */
export const moved = (view: MapView, { right = 0, up = 0 }: { right?: number; up?: number }): MapView =>
  withinBounds({
    ...view,
    longitude: view.longitude + right * widthOf(view),
    y: view.y + (up * MAP_HEIGHT) / view.pixelsPerRadian,
  });

/** The radius of the sphere on which the distances of places are measured. */
const EARTH_METERS = 6_371_008.8;
export const metersPerPixel = ({ y, pixelsPerRadian }: MapView): number =>
  (Math.cos(latitudeOf(y) * RADIANS) * EARTH_METERS) / pixelsPerRadian;

/**
 * Returns the narrowest box around positions, with a margin; it may cross the antimeridian. Undefined without
 * positions.
 */
export function boxAround(positions: readonly Position[]): Box | undefined {
  if (positions.length === 0) return undefined;
  const longitudes = positions.map(({ longitude }) => longitude).toSorted((a, b) => a - b);
  const gaps = longitudes.map((west, at) => {
    const next = longitudes[at + 1] ?? (longitudes[0] ?? 0) + 360;
    return { after: west, next: turned(next), gap: next - west };
  });
  const { after, next, gap } = gaps.reduce((widest, one) => (one.gap > widest.gap ? one : widest));
  const latitudes = positions.map(({ latitude }) => latitude);
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  // A single position is shown within some ten kilometres, where there may be a coast.
  const [airMin, airAboveMin] = positions.length === 1 ? [0.1, 0.07] : [0.004, 0.003];
  const air = Math.max(airMin, (360 - gap) * 0.06);
  const airAbove = Math.max(airAboveMin, (north - south) * 0.08);
  const isWide = gap - 2 * air <= 0;
  return {
    west: isWide ? -180 : turned(next - air),
    south: Math.max(-90, south - airAbove),
    east: isWide ? 180 : turned(after + air),
    north: Math.min(90, north + airAbove),
  };
}
