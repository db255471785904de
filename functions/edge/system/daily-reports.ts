const DAY_MILLIS = 24 * 3_600_000;

/** Returns a function that leaves out what it has returned within the last day. */
export function dailyReports(): (names: readonly string[], now: number) => readonly string[] {
  const reportedAt = new Map<string, number>();
  return (names, now) => {
    const due = names.filter((name) => now - (reportedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= DAY_MILLIS);
    for (const name of due) reportedAt.set(name, now);
    return due;
  };
}
