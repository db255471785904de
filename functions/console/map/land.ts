import type { GeoPermissibleObjects } from 'd3-geo';
import { MAP_HEIGHT, MAP_WIDTH, type MapView, widthOf } from './map-view.ts';

/** Paths of SVG in the pixels of the drawing. */
export interface Land {
  readonly land: string;
  readonly borders: string;
}

/** Above this width, in degrees, the coarse outlines do: an eighth of the bytes. */
const COARSE_ABOVE = 60;
/** Outlines go on outside of the drawing, so that its edge is no coast. */
const BEYOND = 8;

/** Land and borders of a view. Projections and outlines are loaded when the first map is drawn. */
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
  return { land: path(land) ?? '', borders: path(borders) ?? '' };
}

interface Outlines {
  readonly land: GeoPermissibleObjects;
  readonly borders: GeoPermissibleObjects;
}

let coarse: Promise<Outlines> | undefined;
let fine: Promise<Outlines> | undefined;
const coarseAtlas = () => import('world-atlas/countries-110m.json', { with: { type: 'json' } });
const fineAtlas = () => import('world-atlas/countries-50m.json', { with: { type: 'json' } });

async function loaded(load: typeof coarseAtlas): Promise<Outlines> {
  const [{ feature, mesh }, { default: topology }] = await Promise.all([import('topojson-client'), load()]);
  const { countries, land } = topology.objects;
  // Borders are the lines that two countries share; the others are coasts.
  return { land: feature(topology, land), borders: mesh(topology, countries, (a, b) => a !== b) };
}
