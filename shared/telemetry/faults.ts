import { FAULTS, STRAY_FAULTS } from '#shared/telemetry/metric-scope';

/** The rate and burst of faults that count as strays: one fault in this many calls of a function instance, and this many at once. */
const CALLS_PER_STRAY = 1_000;
const STRAYS_MAX = 3;

let faults = 0;
let others = new Map<string, number>();
/** The calls since the last stray fault, as far as strays can use them. */
let calls = 0;

/** Counts a failure that Lambda does not see, because the function ends well: an answered 500, a message given back. */
export function countFault(): void {
  faults += 1;
}

/** Counts something else that an alarm watches, by the name of its metric. */
export function count(metric: string): void {
  others.set(metric, (others.get(metric) ?? 0) + 1);
}

/**
 * Publishes what the invocation has counted. Most count nothing, and so metrics load only here. A fault of an instance that
 * has served a thousand calls without one is a stray: at a hundred million calls, an alarm on each fault would never end.
 */
export async function publishFaults(): Promise<void> {
  calls = Math.min(calls + 1, STRAYS_MAX * CALLS_PER_STRAY);
  if (faults === 0 && others.size === 0) return;
  const strays = Math.min(faults, Math.floor(calls / CALLS_PER_STRAY));
  calls -= strays * CALLS_PER_STRAY;
  const counts = [[FAULTS, faults - strays], [STRAY_FAULTS, strays], ...others] as const;
  faults = 0;
  others = new Map();
  const { countMetrics } = await import('#shared/telemetry/metrics');
  countMetrics(counts);
}
