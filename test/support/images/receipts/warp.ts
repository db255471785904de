import type { GreyImage } from '../../../../functions/images/pictures/grey-image.ts';

export type Point = readonly [x: number, y: number];

/** Left top, right top, right bottom, left bottom. */
export type Corners = readonly [Point, Point, Point, Point];

interface Warp {
  readonly width: number;
  readonly height: number;
  /** Where in the source the pixel comes from. */
  readonly source: (x: number, y: number) => Point;
  /** What shows where the source has nothing. */
  readonly outside: (x: number, y: number) => number;
}

export function warped(image: GreyImage, { width, height, source, outside }: Warp): GreyImage {
  const pixels = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const [u, v] = source(x, y);
      const [left, top] = [Math.floor(u), Math.floor(v)];
      if (left < 0 || top < 0 || left >= image.width - 1 || top >= image.height - 1) {
        pixels[at] = outside(x, y);
        continue;
      }
      const first = top * image.width + left;
      const [across, down] = [u - left, v - top];
      const upper = image.pixels[first]! * (1 - across) + image.pixels[first + 1]! * across;
      const lower = image.pixels[first + image.width]! * (1 - across) + image.pixels[first + image.width + 1]! * across;
      pixels[at] = Math.round(upper * (1 - down) + lower * down);
    }
  }
  return { width, height, pixels };
}

/** From a point of the picture to the point of a sheet of that size whose corners lie there. */
export function ontoSheet(corners: Corners, width: number, height: number): (x: number, y: number) => Point {
  const [a, b, c, d, e, f, g, h] = squareToQuad(corners);
  // Rows of the adjugate; a projective map needs no division by the determinant.
  const inverse = [
    e - f * h,
    c * h - b,
    b * f - c * e,
    f * g - d,
    a - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const [i0 = 0, i1 = 0, i2 = 0, i3 = 0, i4 = 0, i5 = 0, i6 = 0, i7 = 0, i8 = 0] = inverse;
  return (x, y) => {
    const scale = i6 * x + i7 * y + i8;
    return [(width * (i0 * x + i1 * y + i2)) / scale, (height * (i3 * x + i4 * y + i5)) / scale];
  };
}

/** Heckbert's closed form: (u, v) of the unit square goes to ((au + bv + c) / (gu + hv + 1), (du + ev + f) / (gu + hv + 1)). */
function squareToQuad([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Corners) {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / determinant;
  const h = (dx1 * dy3 - dx3 * dy1) / determinant;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h] as const;
}
