import { LinkButton } from '../components/button.tsx';
import { countOf } from '../components/quantities.ts';
import { type Marker, MERGED_PIXELS, merged } from './clusters.ts';
import type { Land } from './land.ts';
import {
  type Box,
  boxAround,
  boxOf,
  boxText,
  MAP_HEIGHT,
  MAP_WIDTH,
  type MapView,
  metersPerPixel,
  moved,
  type Position,
  pointAt,
  viewOf,
  WORLD,
  zoomed,
} from './map-view.ts';
import { scaleBar } from './scale-bar.ts';

export interface MapPlace extends Position {
  readonly id: string;
  readonly name: string;
}

interface MapProps {
  readonly label: string;
  readonly view: MapView;
  readonly land: Land;
  readonly places: readonly MapPlace[];
  readonly placeHref: (id: string) => string;
  /** A circle on the ground, such as the one in which customers can check in. */
  readonly circle?: Circle | undefined;
  /** True if the map is narrow, so that its marks are drawn larger. */
  readonly isNarrow?: boolean;
  /** The address of the page with another box; undefined for a map that cannot be moved. */
  readonly boxHref?: (box: string) => string;
}

/**
 * A map of places. Its points are links for pointers only: keyboards and screen readers use the list beside it and the
 * links below it.
 */
export function PlaceMap({ label, view, land, places, placeHref, boxHref, circle, isNarrow = false }: MapProps) {
  const markers = merged(
    places.flatMap((place): Marker<MapPlace>[] => {
      const at = pointAt(view, place);
      return at ? [{ x: at[0], y: at[1], items: [place] }] : [];
    }),
  );
  const { pixels, label: length } = scaleBar(metersPerPixel(view));
  return (
    <figure class={isNarrow ? 'map narrow' : 'map'}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of links is no fieldset */}
      <svg viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} role="group" aria-label={label}>
        <path class="land" d={land.land} />
        <path class="borders" d={land.borders} />
        {circle && <Ring view={view} circle={circle} />}
        {markers.map((marker) => (
          <MapMarker
            key={`${marker.x} ${marker.y}`}
            marker={marker}
            placeHref={placeHref}
            {...(boxHref && { boxHref })}
          />
        ))}
        <g class="scale">
          <path d={`M16 ${MAP_HEIGHT - 22}v8h${pixels.toFixed(1)}v-8`} />
          <text x={(24 + pixels).toFixed(1)} y={MAP_HEIGHT - 18}>
            {length}
          </text>
        </g>
      </svg>
      {boxHref && <Moves view={view} href={(to) => boxHref(boxText(boxOf(to)))} />}
    </figure>
  );
}

interface Circle extends Position {
  readonly meters: number;
}

function Ring({ view, circle }: { readonly view: MapView; readonly circle: Circle }) {
  const at = pointAt(view, circle);
  const radius = circle.meters / metersPerPixel(view);
  return at ? <circle class="ring" cx={at[0].toFixed(1)} cy={at[1].toFixed(1)} r={radius.toFixed(1)} /> : null;
}

interface MapMarkerProps {
  readonly marker: Marker<MapPlace>;
  readonly placeHref: (id: string) => string;
  readonly boxHref?: (box: string) => string;
}

function MapMarker({ marker: { x, y, items }, placeHref, boxHref }: MapMarkerProps) {
  const [cx, cy] = [x.toFixed(1), y.toFixed(1)];
  const [first] = items;
  if (items.length === 1 && first) {
    return (
      <a href={placeHref(first.id)} tabIndex={-1} aria-label={first.name}>
        <title>{first.name}</title>
        <circle class="point" cx={cx} cy={cy} r="6" />
      </a>
    );
  }
  const around: Box | undefined = boxAround(items);
  const radius = Math.min(20, MERGED_PIXELS / 2 + items.length / 20).toFixed(1);
  const drawing = (
    <>
      <title>{countOf(items.length, 'place')}</title>
      <circle class="cluster" cx={cx} cy={cy} r={radius} />
      <text class="count" x={cx} y={cy}>
        {items.length}
      </text>
    </>
  );
  if (!boxHref || !around) return <g>{drawing}</g>;
  return (
    <a href={boxHref(boxText(around))} tabIndex={-1} aria-label={`${countOf(items.length, 'place')}: zoom in`}>
      {drawing}
    </a>
  );
}

function Moves({ view, href }: { readonly view: MapView; readonly href: (view: MapView) => string }) {
  const moves: readonly (readonly [sign: string, label: string, to: MapView])[] = [
    ['+', 'Zoom in', zoomed(view, 2)],
    ['−', 'Zoom out', zoomed(view, 1 / 2)],
    ['←', 'Move west', moved(view, { right: -1 / 2 })],
    ['→', 'Move east', moved(view, { right: 1 / 2 })],
    ['↑', 'Move north', moved(view, { up: 1 / 2 })],
    ['↓', 'Move south', moved(view, { up: -1 / 2 })],
  ];
  return (
    <nav class="row" aria-label="Move the map">
      {moves.map(([sign, label, to]) => (
        <a key={label} class="button small" href={href(to)} title={label}>
          <span aria-hidden="true">{sign}</span>
          <span class="hidden">{label}</span>
        </a>
      ))}
      <LinkButton kind="small" label="World" href={href(viewOf(WORLD))} />
    </nav>
  );
}
