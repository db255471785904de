const METERS_PER_MILE = 1_609.344;
const METERS_PER_FOOT = 0.3048;
/** Nearer than this, a label is in the small unit. */
const FEET_BELOW_MILES = 0.1;

/** A distance for people, with its unit: `350 m`, `1.2 km`, `14 km`; `240 ft`, `0.7 mi`, `14 mi`. */
export function distanceLabel(meters: number, unit: 'mi' | 'km'): string {
  if (unit === 'km') {
    const rounded = Math.round(meters);
    return rounded < 1_000 ? `${rounded} m` : `${short(meters / 1_000)} km`;
  }
  const miles = meters / METERS_PER_MILE;
  return miles < FEET_BELOW_MILES ? `${Math.round(meters / METERS_PER_FOOT)} ft` : `${short(miles)} mi`;
}

/** One decimal below ten. */
const short = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));
