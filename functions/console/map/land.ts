import type { LineString, Polygon, Position } from 'geojson';
import { boxOf, MAP_HEIGHT, MAP_WIDTH, type MapView, widthOf, zoomed } from './map-view.ts';

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
  const [{ geoMercator, geoPath }, { land, borders }] = await Promise.all([
    import('d3-geo'),
    widthOf(view) > COARSE_ABOVE ? (coarse ??= loaded(coarseAtlas)) : (fine ??= loaded(fineAtlas)),
  ]);
  const projection = geoMercator()
    .rotate([-view.longitude, 0])
    .scale(view.pixelsPerRadian)
    .translate([MAP_WIDTH / 2, MAP_HEIGHT / 2 + view.y * view.pixelsPerRadian])
    .clipExtent([
      [-BEYOND, -BEYOND],
      [MAP_WIDTH + BEYOND, MAP_HEIGHT + BEYOND],
    ]);
  const path = geoPath(projection).digits(1);
  return {
    land: path({ type: 'MultiPolygon', coordinates: near(view, land) }) ?? '',
    borders: path({ type: 'MultiLineString', coordinates: near(view, borders) }) ?? '',
  };
}

interface Outlines {
  readonly land: readonly Piece<Polygon['coordinates']>[];
  readonly borders: readonly Piece<LineString['coordinates']>[];
}

/** A piece of land or border, with its bounding box. Skipping pieces outside the view is faster than clipping them. */
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
    land: polygons.map((coordinates) => pieceOf(coordinates, coordinates[0] ?? [])),
    borders: lines.map((coordinates) => pieceOf(coordinates, coordinates)),
  };
}

function pieceOf<Coordinates>(coordinates: Coordinates, line: readonly Position[]): Piece<Coordinates> {
  const [longitudes, latitudes] = [line.map(([longitude = 0]) => longitude), line.map(([, latitude = 0]) => latitude)];
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  // The piece crosses the antimeridian or surrounds a pole, so it may be anywhere.
  if (east - west > 180) return { coordinates, west: -180, south: -90, east: 180, north: 90 };
  return { coordinates, west, south, east, north };
}

function near<Coordinates>(view: MapView, pieces: readonly Piece<Coordinates>[]): Coordinates[] {
  const { west, south, east, north } = boxOf(zoomed(view, 0.9));
  const spans =
    west <= east
      ? [{ west, east }]
      : [
          { west, east: 180 },
          { west: -180, east },
        ];
  const isNear = (piece: Piece<Coordinates>) =>
    piece.south <= north &&
    piece.north >= south &&
    spans.some((span) => piece.west <= span.east && piece.east >= span.west);
  return pieces.filter(isNear).map(({ coordinates }) => coordinates);
}
