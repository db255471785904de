import type { GreyImage } from './grey-image.ts';

const SIDE = 128;
/** The number of frequencies per axis. Frequency 0 is skipped: it is only the brightness. */
const FREQUENCIES = 16;
const BITS = FREQUENCIES ** 2;
/**
 * A page with less deviation in greys shows only grain. Its bits would be chance, and all blank pages would be alike.
 */
const DEVIATION_MIN = 1;

const WAVES = Array.from({ length: FREQUENCIES }, (_, at) =>
  Float64Array.from({ length: SIDE }, (_unused, x) => Math.cos(((2 * x + 1) * (at + 1) * Math.PI) / (2 * SIDE))),
);

/**
 * A perceptual hash of 256 bits, as 64 hexadecimal digits. It survives compression, resizing and other brightness, but
 * not a second photograph. Each bit says whether one frequency is above the median. Half the bits of different pictures
 * differ; 64 bits would not tell receipts apart, which are all columns of dark lines on white. Undefined for a blank
 * page. Stored values stay comparable only as long as this function and `shrunk` do not change.
 */
export function perceptualHashOf(page: GreyImage): string | undefined {
  const small = shrunk(page, SIDE, SIDE);
  if (deviation(small) < DEVIATION_MIN) return undefined;
  const strengths = WAVES.flatMap((down) => {
    const columns = Float64Array.from({ length: SIDE }, (_, x) => {
      let sum = 0;
      for (let y = 0; y < SIDE; y += 1) sum += down[y]! * small[y * SIDE + x]!;
      return sum;
    });
    return WAVES.map((across) => across.reduce((sum, wave, x) => sum + wave * columns[x]!, 0));
  });
  const sorted = strengths.toSorted((a, b) => a - b);
  const median = (sorted[BITS / 2 - 1]! + sorted[BITS / 2]!) / 2;
  const bits = strengths.map((strength) => (strength > median ? '1' : '0')).join('');
  return bits.replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16));
}

const ONES = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/** The number of bits in which two perceptual hashes differ, from 0 to 256. */
export function hashDistance(a: string, b: string): number {
  let differing = 0;
  for (let at = 0; at < a.length; at += 1) {
    differing += ONES[Number.parseInt(a[at]!, 16) ^ Number.parseInt(b[at]!, 16)]!;
  }
  return differing;
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Resizes the page; each pixel is the mean of the area that it covers. */
function shrunk({ width, height, pixels }: GreyImage, toWidth: number, toHeight: number): Float64Array {
  const across = shares(width, toWidth);
  const down = shares(height, toHeight);
  const rows = new Float64Array(toWidth * toHeight);
  const row = new Float64Array(toWidth);
  for (let to = 0; to < toHeight; to += 1) {
    for (const [y, rowShare] of down[to]!) {
      row.fill(0);
      for (let x = 0; x < toWidth; x += 1) {
        for (const [from, share] of across[x]!) row[x]! += share * pixels[y * width + from]!;
      }
      for (let x = 0; x < toWidth; x += 1) rows[to * toWidth + x]! += rowShare * row[x]!;
    }
  }
  return rows;
}

/** For each position of the new axis, the old positions that it covers and their shares. */
function shares(from: number, to: number): (readonly [number, number])[][] {
  const scale = from / to;
  return Array.from({ length: to }, (_, at) => {
    const [start, end] = [at * scale, (at + 1) * scale];
    const first = Math.floor(start);
    const last = Math.min(from - 1, Math.ceil(end) - 1);
    return Array.from({ length: last - first + 1 }, (_unused, step) => {
      const place = first + step;
      return [place, (Math.min(end, place + 1) - Math.max(start, place)) / scale] as const;
    });
  });
}
