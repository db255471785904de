/** Metres from the equator and from the central meridian, scaled as UTM scales them. */
export interface Plane {
  readonly east: number;
  readonly north: number;
}

/** Degrees; the longitude counts from the central meridian. */
export interface Sphere {
  readonly latitude: number;
  readonly longitude: number;
}

const FLATTENING = 1 / 298.257223563;
const SCALE = 0.9996;
const N = FLATTENING / (2 - FLATTENING);
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
const RADIUS = ((SCALE * 6_378_137) / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64 + N ** 6 / 256);

/** Evaluates `a + b n + c n² …`, times `n` to the power of the series. */
const series = (power: number, ...factors: readonly number[]): number =>
  factors.reduceRight((sum, factor) => sum * N + factor, 0) * N ** power;

/** The series of Krüger to the sixth order: within a zone they are exact to a few nanometres. */
const FORWARD = [
  series(1, 1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800),
  series(2, 13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360),
  series(3, 61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440),
  series(4, 49561 / 161280, -179 / 168, 6601661 / 7257600),
  series(5, 34729 / 80640, -3418889 / 1995840),
  series(6, 212378941 / 319334400),
];
const BACKWARD = [
  series(1, 1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800),
  series(2, 1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720),
  series(3, 17 / 480, -37 / 840, -209 / 4480, 5569 / 90720),
  series(4, 4397 / 161280, -11 / 504, -830251 / 7257600),
  series(5, 4583 / 161280, -108847 / 3991680),
  series(6, 20648693 / 638668800),
];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** The tangent of the conformal latitude. */
function conformal(tangent: number): number {
  const secant = Math.hypot(1, tangent);
  const sigma = Math.sinh(ECCENTRICITY * Math.atanh((ECCENTRICITY * tangent) / secant));
  return tangent * Math.hypot(1, sigma) - sigma * secant;
}

export function project({ latitude, longitude }: Sphere): Plane {
  const tangent = conformal(Math.tan(radians(latitude)));
  const [sine, cosine] = [Math.sin(radians(longitude)), Math.cos(radians(longitude))];
  let north = Math.atan2(tangent, cosine);
  let east = Math.asinh(sine / Math.hypot(tangent, cosine));
  const [along, across] = [north, east];
  for (const [index, factor] of FORWARD.entries()) {
    const order = 2 * (index + 1);
    north += factor * Math.sin(order * along) * Math.cosh(order * across);
    east += factor * Math.cos(order * along) * Math.sinh(order * across);
  }
  return { east: east * RADIUS, north: north * RADIUS };
}

export function unproject(plane: Plane): Sphere {
  const [north, east] = [plane.north / RADIUS, plane.east / RADIUS];
  let [along, across] = [north, east];
  for (const [index, factor] of BACKWARD.entries()) {
    const order = 2 * (index + 1);
    along -= factor * Math.sin(order * north) * Math.cosh(order * east);
    across -= factor * Math.cos(order * north) * Math.sinh(order * east);
  }
  const target = Math.sin(along) / Math.hypot(Math.sinh(across), Math.cos(along));
  let tangent = target;
  // Newton's method; three steps reach the last bit.
  for (let step = 0; step < 4; step++) {
    const estimate = conformal(tangent);
    const slope = (1 + (1 - ECCENTRICITY ** 2) * tangent ** 2) / ((1 - ECCENTRICITY ** 2) * Math.hypot(1, tangent));
    tangent += ((target - estimate) / Math.hypot(1, estimate)) * slope;
  }
  return {
    latitude: degrees(Math.atan(tangent)),
    longitude: degrees(Math.atan2(Math.sinh(across), Math.cos(along))),
  };
}
