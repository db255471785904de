let faults = 0;

/** Counts a failure that Lambda does not see, because the function ends well: an answered 500, a message given back. */
export function countFault(): void {
  faults += 1;
}

/** Publishes what the invocation has counted. Most count nothing, and so metrics load only here. */
export async function publishFaults(): Promise<void> {
  if (faults === 0) return;
  const count = faults;
  faults = 0;
  const { faultMetric } = await import('#shared/telemetry/metrics');
  faultMetric(count);
}
