/** The first attempt of a run. */
export interface FirstPost {
  readonly run: string;
  readonly dueAt: number;
  /** Its place among all POSTs that the endpoints received. */
  readonly post: number;
  /** The run is one of the backlog: when all others of the backlog were parked, it was parked too. */
  readonly waited: boolean;
}

/**
 * The runs of a backlog that were held up beyond their turn, of one configuration. A returned slot goes to the parked
 * run that was due first, and is held until the POST of that run is over. So of the runs that were due before the one
 * that is posted now, those still to be posted have been started as well, and each of them holds another slot: there
 * are fewer of them than slots. (How often a single run is overtaken has no such bound. While its message is on its way
 * to a worker, the other slots may be passed on many times.)
 *
 * Where there are more, those are counted that were posted last: without any fewer, the others would not be in order.
 * @param all runs of the backlog, and others that were made later
 */
export function heldUp(all: readonly FirstPost[], slots: number): FirstPost[] {
  const violations = new Set<FirstPost>();
  const inOrder = all.toSorted((a, b) => a.post - b.post);
  for (const [place, { dueAt }] of inOrder.entries()) {
    const overtaken = inOrder.slice(place + 1).filter((one) => one.waited && one.dueAt < dueAt && !violations.has(one));
    for (const one of overtaken.slice(slots - 1)) violations.add(one);
  }
  return [...violations];
}
