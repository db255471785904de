const METERS_PER_MILE = 1_609.344;
const METERS_PER_FOOT = 0.3048;
/** Labels of smaller distances use the small unit. */
const FEET_BELOW_MILES = 0.1;

/** A distance with its unit for people: `350 m`, `1.2 km`, `14 km`; `240 ft`, `0.7 mi`, `14 mi`. */
export function distanceLabel(meters: number, unit: 'mi' | 'km'): string {
  if (unit === 'km') {
    const rounded = Math.round(meters);
    return rounded < 1_000 ? `${rounded} m` : `${short(meters / 1_000)} km`;
  }
  const miles = meters / METERS_PER_MILE;
  return miles < FEET_BELOW_MILES ? `${Math.round(meters / METERS_PER_FOOT)} ft` : `${short(miles)} mi`;
}

/** Rounds to one decimal below ten, and to integers above. */
const short = (value: number): string => (value < 9.95 ? value.toFixed(1) : String(Math.round(value)));
