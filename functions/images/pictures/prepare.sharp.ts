import { type GreyImage, histogramOf, noiseOf, percentile } from './grey-image.ts';
import {
  chain,
  type Homography,
  type MappedImage,
  rectified,
  rotation,
  scaling,
  shift,
  UNMOVED,
} from './homography.ts';
import { greyOf, rawGrey } from './open-picture.sharp.ts';
import { paperQuad } from './paper.ts';
import { printArea } from './print-area.ts';
import { sharpnessOf } from './sharpness.ts';
import { skewOf } from './skew.ts';
import { flattened, stretched, whitened } from './whiten.ts';

/** At this width, characters of a receipt have the height that the recogniser needs. */
const READING_WIDTH = 1200;
/** Widths within these shares of the reading width are not resized. */
const WIDTH_FROM = 0.95;
const WIDTH_TO = 1.4;
/** Without a limit, a strip one pixel wide would grow to hundreds of millions of pixels. */
const READING_HEIGHT_MAX = 6000;
const THUMBNAIL = { width: 240, height: 960, fit: 'inside' } as const;
const SHARPNESS_SIZE = { width: 1000, height: READING_HEIGHT_MAX, fit: 'inside' } as const;
const READING_SIZE = { width: READING_WIDTH, height: READING_HEIGHT_MAX, fit: 'inside' } as const;
/** More noise than this makes recognition ten times slower. */
const NOISE_MAX = 6;
const SKEW_MIN_DEGREES = 0.3;
const BACKGROUND_SCALE = 8;
const BACKGROUND_SIGMA = 28;

/**
 * `paper`: cuts out the sheet and keeps its light; `frame`: evens out the light of the whole frame; `plain`: only
 * stretches its contrast.
 */
export type Preparation = 'paper' | 'frame' | 'plain';

/** Prepares the page for reading. All preparations level the print and enlarge it to the same width. */
export async function prepared(page: GreyImage, preparation: Preparation): Promise<MappedImage> {
  const whole = { image: page, back: UNMOVED };
  if (preparation === 'paper') return readingWidth(await deskewed(await cutToPrint((await paperOf(page)) ?? whole)));
  const printed = await cutToPrint(whole);
  return preparation === 'plain' ? plain(printed) : evened(printed);
}

/** Composes the map of a derived image with that of the image it was made from. */
const mapped = (image: GreyImage, from: MappedImage, step: Homography): MappedImage => ({
  image,
  back: chain(step, from.back),
});

async function cutToPrint(page: MappedImage): Promise<MappedImage> {
  const area = printArea(page.image);
  return area ? mapped(await greyOf(rawGrey(page.image).extract(area)), page, shift(area.left, area.top)) : page;
}

async function plain(page: MappedImage): Promise<MappedImage> {
  const upright = await deskewed(await toReadingSize(page));
  const smooth = await greyOf(rawGrey(upright.image).blur(1));
  const counts = histogramOf(smooth);
  return mapped(stretched(smooth, percentile(counts, 0.01), percentile(counts, 0.99)), upright, UNMOVED);
}

async function evened(page: MappedImage): Promise<MappedImage> {
  const upright = await readingWidth(await deskewed(page));
  // The filter runs after enlarging, because it destroys strokes that are one pixel wide.
  const clean = noiseOf(upright.image) > NOISE_MAX ? await medianOf(upright.image, 3) : upright.image;
  return mapped(whitened(flattened(clean, await backgroundOf(clean))), upright, UNMOVED);
}

async function paperOf(page: GreyImage): Promise<MappedImage | undefined> {
  const small = await greyOf(rawGrey(page).resize(THUMBNAIL));
  const thumbnail = await greyOf(rawGrey(await medianOf(small, 7)).blur(1.5));
  const [alongX, alongY] = [page.width / thumbnail.width, page.height / thumbnail.height];
  const quad = paperQuad(thumbnail);
  if (!quad) return undefined;
  const [a, b, c, d] = quad.map(({ x, y }) => ({ x: x * alongX, y: y * alongY }));
  return a && b && c && d && rectified(page, [a, b, c, d]);
}

async function deskewed(page: MappedImage): Promise<MappedImage> {
  const { image } = page;
  const small = await greyOf(rawGrey(image).resize({ width: Math.min(600, image.width) }));
  // Shadows are removed first: their edges have any angle and are darker than print in the light.
  const degrees = skewOf(flattened(small, await backgroundOf(small)));
  if (Math.abs(degrees) < SKEW_MIN_DEGREES) return page;
  const level = await greyOf(rawGrey(image).rotate(-degrees, { background: '#ffffff' }));
  const [toCentre, fromCentre] = [shift(-level.width / 2, -level.height / 2), shift(image.width / 2, image.height / 2)];
  return mapped(level, page, chain(toCentre, rotation(degrees), fromCentre));
}

async function readingWidth(page: MappedImage): Promise<MappedImage> {
  const scale = page.image.width / READING_WIDTH;
  return scale >= WIDTH_FROM && scale <= WIDTH_TO ? page : toReadingSize(page);
}

async function toReadingSize(page: MappedImage): Promise<MappedImage> {
  const image = await greyOf(rawGrey(page.image).resize(READING_SIZE));
  return mapped(image, page, scaling(page.image.width / image.width, page.image.height / image.height));
}

/** The paper without print, by a median that is wider than strokes and smooth enough to keep only the light. */
async function backgroundOf(image: GreyImage): Promise<GreyImage> {
  const { width, height } = image;
  const small = await greyOf(
    rawGrey(image).resize(Math.ceil(width / BACKGROUND_SCALE), Math.ceil(height / BACKGROUND_SCALE), { fit: 'fill' }),
  );
  const median = await medianOf(small, 5);
  const smooth = await greyOf(rawGrey(median).blur(BACKGROUND_SIGMA / BACKGROUND_SCALE));
  return greyOf(rawGrey(smooth).resize(width, height, { fit: 'fill', kernel: 'linear' }));
}

/** The sharpness of a page's print: see `sharpnessOf`. */
export async function pageSharpness(page: GreyImage): Promise<number | undefined> {
  return sharpnessOf(await medianOf(await greyOf(rawGrey(page).resize(SHARPNESS_SIZE)), 3));
}

/** The filter refuses images smaller than its window. They hold no print. */
async function medianOf(image: GreyImage, size: number): Promise<GreyImage> {
  return Math.min(image.width, image.height) < size ? image : greyOf(rawGrey(image).median(size));
}
