import type { GreyImage } from '../pictures/grey-image.ts';

/** JPEG compresses squares of this side separately. */
export const BLOCK = 8;
/** A window has the size of a word or an amount of money, in blocks. */
const WINDOW_WIDTH = 10;
const WINDOW_HEIGHT = 4;
/** A block shows print if its differences between neighbouring pixels add up to this. */
const TEXTURE_MIN = 1000;
/** A window and a page need this many blocks with print; fewer prove nothing. */
const WINDOW_BLOCKS_MIN = 10;
const BLOCKS_MIN = 50;
/** Added to each error, so that blocks with hardly any error do not differ from blocks with none. */
const ERROR_FLOOR = 16;
/** Added to the spread, which is 0 if all blocks are alike. */
const SPREAD_MIN = 0.05;
/** Limits a single block, so that none makes a window stand out alone. */
const BLOCK_MAX = 4;

/**
 * The heat of the word whose pixels change most when the page is compressed again, in deviations of single blocks from
 * the page. Print that was in the picture at its first compression hardly changes any more; print that was pasted later
 * does. The loss of a block is compared with the strength of its edges, because print always loses more than paper.
 * Undefined for pages with little print.
 */
export function hottestWord(page: GreyImage, again: GreyImage): number | undefined {
  const blocks = comparedBlocks(page, again);
  const printed = blocks.levels.filter((level) => !Number.isNaN(level));
  if (printed.length < BLOCKS_MIN) return undefined;
  const usual = medianOf(printed);
  const spread = 1.4826 * medianOf(printed.map((level) => Math.abs(level - usual))) + SPREAD_MIN;
  const heat = blocks.levels.map((level) => Math.max(-BLOCK_MAX, Math.min(BLOCK_MAX, (level - usual) / spread)));
  let hottest = 0;
  for (let y = 0; y + WINDOW_HEIGHT <= blocks.height; y += 1) {
    for (let x = 0; x + WINDOW_WIDTH <= blocks.width; x += 1) {
      hottest = Math.max(hottest, meanHeat(heat, y * blocks.width + x, blocks.width));
    }
  }
  return hottest;
}

/** The mean heat of the window that starts here; 0 if it shows too little print. */
function meanHeat(heat: Float64Array, start: number, width: number): number {
  let [sum, count] = [0, 0];
  for (let y = 0; y < WINDOW_HEIGHT; y += 1) {
    for (let x = 0; x < WINDOW_WIDTH; x += 1) {
      const value = heat[start + y * width + x]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
  }
  return count < WINDOW_BLOCKS_MIN ? 0 : sum / count;
}

interface Blocks {
  readonly width: number;
  readonly height: number;
  /** The logarithm of error over texture per block; NaN where there is no print. */
  readonly levels: Float64Array;
}

function comparedBlocks(page: GreyImage, again: GreyImage): Blocks {
  const [width, height] = [Math.floor(page.width / BLOCK), Math.floor(page.height / BLOCK)];
  const errors = new Float64Array(width * height);
  const textures = new Float64Array(width * height);
  for (let y = 1; y < height * BLOCK; y += 1) {
    const row = Math.floor(y / BLOCK) * width;
    for (let x = 1; x < width * BLOCK; x += 1) {
      const at = y * page.width + x;
      const block = row + Math.floor(x / BLOCK);
      const grey = page.pixels[at]!;
      errors[block]! += Math.abs(grey - again.pixels[at]!);
      textures[block]! += Math.abs(grey - page.pixels[at - 1]!) + Math.abs(grey - page.pixels[at - page.width]!);
    }
  }
  const levels = errors.map((error, at) => {
    const texture = textures[at]!;
    return texture > TEXTURE_MIN ? Math.log((error + ERROR_FLOOR) / texture) : Number.NaN;
  });
  return { width, height, levels };
}

const medianOf = (values: Float64Array) => values.toSorted()[Math.floor(values.length / 2)]!;
