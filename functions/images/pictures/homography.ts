import type { GreyImage } from './grey-image.ts';

export interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Four corners, clockwise from the top left. */
export type Quad = readonly [Corner, Corner, Corner, Corner];

/** Eight numbers of a projective map; the ninth is 1. */
export type Homography = readonly number[];

/** An image that was derived from another, with the map from its points to that image's. */
export interface MappedImage {
  readonly image: GreyImage;
  readonly back: Homography;
}

export const UNMOVED: Homography = [1, 0, 0, 0, 1, 0, 0, 0];

export const shift = (dx: number, dy: number): Homography => [1, 0, dx, 0, 1, dy, 0, 0];

export const scaling = (alongX: number, alongY: number): Homography => [alongX, 0, 0, 0, alongY, 0, 0, 0];

/** A rotation about the origin, clockwise as seen in the picture. */
export function rotation(degrees: number): Homography {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return [cos, -sin, 0, sin, cos, 0, 0, 0];
}

/** Maps points of an image that was turned by 0 to 3 clockwise quarters back to the original. */
export function unturned({ width, height }: GreyImage, quarters: number): Homography {
  const corner = [UNMOVED, shift(0, height), shift(width, height), shift(width, 0)][quarters % 4]!;
  return chain(rotation(-90 * quarters), corner);
}

/** Applies one map after the other. */
export function chain(...maps: readonly Homography[]): Homography {
  return maps.reduce((first, second) => {
    const [a, b] = [second, first].map((map) => [...map, 1]) as [number[], number[]];
    const product = Array.from({ length: 9 }, (_, at) => {
      const [row, column] = [3 * Math.floor(at / 3), at % 3];
      return a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!;
    });
    return product.slice(0, 8).map((value) => value / product[8]!);
  });
}

/** The map from one quad's corners to another's; undefined if three corners lie on a line. */
export function homography(from: Quad, to: Quad): Homography | undefined {
  const equations = from.flatMap(({ x, y }, corner) => {
    const { x: u, y: v } = to[corner]!;
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  return solved(equations);
}

/** Gaussian elimination with pivoting. The last number of each row is its right-hand side. */
function solved(rows: number[][]): number[] | undefined {
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    if (Math.abs(rows[pivot]![column]!) < 1e-9) return undefined;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const by = rows[column]!;
    for (let row = 0; row < size; row += 1) {
      if (row === column) continue;
      const factor = rows[row]![column]! / by[column]!;
      for (let at = column; at <= size; at += 1) rows[row]![at]! -= factor * by[at]!;
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!);
}

export function mapped(map: Homography, { x, y }: Corner): Corner {
  const [a, b, c, d, e, f, g, h] = map as [number, number, number, number, number, number, number, number];
  const w = g * x + h * y + 1;
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w };
}

const distance = (a: Corner, b: Corner) => Math.hypot(a.x - b.x, a.y - b.y);

/** Extracts the quad as an upright rectangle with the lengths of its longer sides. */
export function rectified(image: GreyImage, quad: Quad): MappedImage | undefined {
  const [topLeft, topRight, bottomRight, bottomLeft] = quad;
  const width = Math.round(Math.max(distance(topLeft, topRight), distance(bottomLeft, bottomRight)));
  const height = Math.round(Math.max(distance(topLeft, bottomLeft), distance(topRight, bottomRight)));
  if (width < 2 || height < 2) return undefined;
  const [right, bottom] = [width - 1, height - 1];
  const map = homography(
    [
      { x: 0, y: 0 },
      { x: right, y: 0 },
      { x: right, y: bottom },
      { x: 0, y: bottom },
    ],
    quad,
  );
  if (!map) return undefined;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = interpolated(image, mapped(map, { x, y }));
  }
  return { image: { width, height, pixels }, back: map };
}

/** Interpolates the grey between four pixels. Beyond the edge, the edge's grey applies. */
function interpolated({ width, height, pixels }: GreyImage, at: Corner): number {
  const x = Math.min(Math.max(at.x, 0), width - 1);
  const y = Math.min(Math.max(at.y, 0), height - 1);
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const right = Math.min(left + 1, width - 1);
  const bottom = Math.min(top + 1, height - 1);
  const [dx, dy] = [x - left, y - top];
  const upper = pixels[top * width + left]! * (1 - dx) + pixels[top * width + right]! * dx;
  const lower = pixels[bottom * width + left]! * (1 - dx) + pixels[bottom * width + right]! * dx;
  return Math.round(upper * (1 - dy) + lower * dy);
}
