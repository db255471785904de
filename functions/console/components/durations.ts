const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** `257 ms`, `42.2 s`, `3 min`, `5 h`, `2 d`. */
export function durationText(millis: number): string {
  if (millis < 1_000) return `${Math.round(millis)} ms`;
  if (millis < 60_000) return `${(millis / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  const [size, unit] = UNITS.find(([size]) => millis >= size) ?? UNITS[2];
  return `${Math.floor(millis / size)} ${unit}`;
}
