/** A point of the drawing with what stands there. */
export interface Marker<Item> {
  readonly x: number;
  readonly y: number;
  readonly items: readonly Item[];
}

/** Markers nearer to each other could not be told apart, or be hit. */
export const MERGED_PIXELS = 24;

/** Merges markers until none is nearer to another than that. A merged one stands in the middle of what it holds. */
export function merged<Item>(markers: readonly Marker<Item>[]): readonly Marker<Item>[] {
  let now = markers;
  for (;;) {
    const next = mergedOnce(now);
    if (next.length === now.length) return next;
    now = next;
  }
}

function mergedOnce<Item>(markers: readonly Marker<Item>[]): readonly Marker<Item>[] {
  const kept: Marker<Item>[] = [];
  for (const marker of markers) {
    const at = kept.findIndex(({ x, y }) => Math.hypot(x - marker.x, y - marker.y) < MERGED_PIXELS);
    const near = kept[at];
    if (near) kept[at] = together(near, marker);
    else kept.push(marker);
  }
  return kept;
}

function together<Item>(a: Marker<Item>, b: Marker<Item>): Marker<Item> {
  const [some, more] = [a.items.length, b.items.length];
  return {
    x: (a.x * some + b.x * more) / (some + more),
    y: (a.y * some + b.y * more) / (some + more),
    items: [...a.items, ...b.items],
  };
}
