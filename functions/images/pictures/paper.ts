import { type GreyImage, histogramOf, otsuThreshold } from './grey-image.ts';
import type { Corner, Quad } from './homography.ts';

/**
 * A bright region must reach these values to count as a sheet of paper. Otherwise the lit half of a shadowed receipt
 * would pass for the whole.
 */
const CONTRAST_MIN = 45;
const AREA_MIN = 0.2;
const AREA_MAX = 0.93;
const FILL_MIN = 0.86;
const SIDE_MIN = 0.35;
const EDGE_TOUCHED_MAX = 0.25;

/** The corners of the sheet in a thumbnail without noise and print; undefined if they are uncertain. */
export function paperQuad(thumbnail: GreyImage): Quad | undefined {
  const region = largestBright(thumbnail);
  const { width, height } = thumbnail;
  const area = region.members.length;
  if (area < AREA_MIN * width * height || area > AREA_MAX * width * height) return undefined;
  if (region.contrast <= CONTRAST_MIN || touchesEdges(region.members, thumbnail)) return undefined;
  const quad = cornersOf(region.members, width);
  const shortest = Math.min(...quad.map((corner, at) => distance(corner, quad[(at + 1) % 4]!)));
  return area / areaOf(quad) > FILL_MIN && shortest >= SIDE_MIN * width ? quad : undefined;
}

interface Region {
  readonly members: readonly number[];
  /** The difference in greys between the region and its surroundings. */
  readonly contrast: number;
}

function largestBright(image: GreyImage): Region {
  const { width, pixels } = image;
  const threshold = otsuThreshold(histogramOf(image));
  const visited = new Uint8Array(pixels.length);
  let members: number[] = [];
  for (let start = 0; start < pixels.length; start += 1) {
    if (visited[start] || pixels[start]! <= threshold) continue;
    visited[start] = 1;
    const region = [start];
    for (const at of region) {
      const x = at % width;
      const neighbours = [at - width, at + width, x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1];
      for (const next of neighbours) {
        if (next < 0 || next >= pixels.length || visited[next] || pixels[next]! <= threshold) continue;
        visited[next] = 1;
        region.push(next);
      }
    }
    if (region.length > members.length) members = region;
  }
  const inside = members.reduce((sum, at) => sum + pixels[at]!, 0);
  const all = pixels.reduce((sum, grey) => sum + grey, 0);
  const outside = (all - inside) / Math.max(1, pixels.length - members.length);
  return { members, contrast: inside / Math.max(1, members.length) - outside };
}

function touchesEdges(members: readonly number[], { width, height }: GreyImage): boolean {
  let [top, bottom, left, right] = [0, 0, 0, 0];
  for (const at of members) {
    if (at < width) top += 1;
    if (at >= width * (height - 1)) bottom += 1;
    if (at % width === 0) left += 1;
    if (at % width === width - 1) right += 1;
  }
  const most = EDGE_TOUCHED_MAX;
  return top >= most * width || bottom >= most * width || left >= most * height || right >= most * height;
}

function cornersOf(members: readonly number[], width: number): Quad {
  const extreme = (worth: (x: number, y: number) => number): Corner => {
    let [best, corner] = [Number.NEGATIVE_INFINITY, 0];
    for (const at of members) {
      const value = worth(at % width, Math.floor(at / width));
      if (value > best) [best, corner] = [value, at];
    }
    return { x: corner % width, y: Math.floor(corner / width) };
  };
  return [extreme((x, y) => -x - y), extreme((x, y) => x - y), extreme((x, y) => x + y), extreme((x, y) => y - x)];
}

const distance = (a: Corner, b: Corner) => Math.hypot(a.x - b.x, a.y - b.y);

/** The area between the corners, by the shoelace formula; at least 1. */
function areaOf(quad: Quad): number {
  const doubled = quad.reduce((sum, { x, y }, at) => {
    const next = quad[(at + 1) % 4]!;
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.max(1, Math.abs(doubled) / 2);
}
