import type { Position } from 'geojson';
import { MAP_HEIGHT, MAP_WIDTH, type MapView, mercatorY, widthOf } from './map-view.ts';

/** SVG paths in the pixels of the drawing. */
export interface Land {
  readonly land: string;
  readonly borders: string;
}

/** The land of a view in which the outlines know no shore: they are right to some kilometres. */
export const GROUND: Land = { land: `M0 0H${MAP_WIDTH}V${MAP_HEIGHT}H0Z`, borders: '' };

/** Above this width in degrees the coarse outlines are used, which have an eighth of the bytes. */
const COARSE_ABOVE = 60;
/** The margin in which outlines continue outside the drawing, so that its edge is not drawn as a coast. */
const BEYOND = 8;

/** Draws land and borders of a view. Projections and outlines are loaded with the first map. */
export async function landIn(view: MapView): Promise<Land> {
  const [{ geoIdentity, geoPath }, { land, borders }] = await Promise.all([
    import('d3-geo'),
    widthOf(view) > COARSE_ABOVE ? (coarse ??= loaded(coarseAtlas)) : (fine ??= loaded(fineAtlas)),
  ]);
  const scale = view.pixelsPerRadian;
  const [halfWidth, halfHeight] = [MAP_WIDTH / 2 + BEYOND, MAP_HEIGHT / 2 + BEYOND];
  const drawings = TURNS.map((turn) => {
    // The outlines stay where they are, and the view moves around the world.
    const centre = view.longitude * RADIANS + turn;
    const isNear = ({ west, east, south, north }: Piece<unknown>) =>
      west <= centre + halfWidth / scale &&
      east >= centre - halfWidth / scale &&
      south <= view.y + halfHeight / scale &&
      north >= view.y - halfHeight / scale;
    const projection = geoIdentity()
      .reflectY(true)
      .scale(scale)
      .translate([MAP_WIDTH / 2 - centre * scale, MAP_HEIGHT / 2 + view.y * scale])
      .clipExtent([
        [-BEYOND, -BEYOND],
        [MAP_WIDTH + BEYOND, MAP_HEIGHT + BEYOND],
      ]);
    const path = geoPath(projection).digits(1);
    const near = <Coordinates>(pieces: readonly Piece<Coordinates>[]) =>
      pieces.filter(isNear).map(({ coordinates }) => coordinates);
    return {
      land: path({ type: 'MultiPolygon', coordinates: near(land) }) ?? '',
      borders: path({ type: 'MultiLineString', coordinates: near(borders) }) ?? '',
    };
  });
  return {
    land: drawings.map((drawing) => drawing.land).join(''),
    borders: drawings.map((drawing) => drawing.borders).join(''),
  };
}

const RADIANS = Math.PI / 180;
/** A view near the antimeridian meets outlines of both ends of the world. */
const TURNS = [-2 * Math.PI, 0, 2 * Math.PI];

/** A point in the Mercator projection, in radians. */
type Point = [x: number, y: number];

interface Outlines {
  readonly land: readonly Piece<Point[][]>[];
  readonly borders: readonly Piece<Point[]>[];
}

/** A piece of land or border in the Mercator projection, with its bounding box. */
interface Piece<Coordinates> {
  readonly coordinates: Coordinates;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

let coarse: Promise<Outlines> | undefined;
let fine: Promise<Outlines> | undefined;
const coarseAtlas = () => import('world-atlas/countries-110m.json', { with: { type: 'json' } });
const fineAtlas = () => import('world-atlas/countries-50m.json', { with: { type: 'json' } });

/** Projects all outlines once, which takes longer than to draw a view. */
async function loaded(load: typeof coarseAtlas): Promise<Outlines> {
  const [{ feature, mesh }, { default: topology }] = await Promise.all([import('topojson-client'), load()]);
  const { countries, land } = topology.objects;
  const polygons = feature(topology, land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'MultiPolygon') return geometry.coordinates;
    return geometry.type === 'Polygon' ? [geometry.coordinates] : [];
  });
  // Borders are the lines that two countries share; the others are coasts.
  const { coordinates: lines } = mesh(topology, countries, (a, b) => a !== b);
  return {
    land: polygons.map((rings) => {
      const coordinates = rings.map((ring) => closed(projected(ring)));
      return pieceOf(coordinates, coordinates[0] ?? []);
    }),
    borders: lines.map((line) => {
      const coordinates = projected(line);
      return pieceOf(coordinates, coordinates);
    }),
  };
}

/** Projects a line without jumps: where it crosses the antimeridian, it goes on beyond half a turn. */
function projected(line: readonly Position[]): Point[] {
  let last = line[0]?.[0] ?? 0;
  return line.map(([longitude = 0, latitude = 0]) => {
    last = longitude + 360 * Math.round((last - longitude) / 360);
    return [last * RADIANS, mercatorY(latitude)];
  });
}

/** A ring around the pole, which ends a turn from where it began, is closed along the bottom of the world. */
function closed(ring: Point[]): Point[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || Math.abs(last[0] - first[0]) < Math.PI) return ring;
  const bottom = mercatorY(-90);
  return [...ring, [last[0], bottom], [first[0], bottom], first];
}

function pieceOf<Coordinates>(coordinates: Coordinates, line: readonly Point[]): Piece<Coordinates> {
  const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
  return {
    coordinates,
    west: Math.min(...xs),
    east: Math.max(...xs),
    south: Math.min(...ys),
    north: Math.max(...ys),
  };
}
