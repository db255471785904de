/** A point of the drawing with its items. */
export interface Marker<Item> {
  readonly x: number;
  readonly y: number;
  readonly items: readonly Item[];
}

/** The smallest distance of markers: closer ones could not be distinguished or clicked. */
export const MERGED_PIXELS = 24;

/** Merges markers until none is closer to another than that. A merged marker is at the centre of its items. */
export function merged<Item>(markers: readonly Marker<Item>[]): readonly Marker<Item>[] {
  let now = markers;
  for (;;) {
    const next = mergedOnce(now);
    if (next.length === now.length) return next;
    now = next;
  }
}

function mergedOnce<Item>(markers: readonly Marker<Item>[]): readonly Marker<Item>[] {
  const result: Marker<Item>[] = [];
  for (const marker of markers) {
    const at = result.findIndex(({ x, y }) => Math.hypot(x - marker.x, y - marker.y) < MERGED_PIXELS);
    const near = result[at];
    if (near) result[at] = together(near, marker);
    else result.push(marker);
  }
  return result;
}

function together<Item>(a: Marker<Item>, b: Marker<Item>): Marker<Item> {
  const [some, more] = [a.items.length, b.items.length];
  return {
    x: (a.x * some + b.x * more) / (some + more),
    y: (a.y * some + b.y * more) / (some + more),
    items: [...a.items, ...b.items],
  };
}
