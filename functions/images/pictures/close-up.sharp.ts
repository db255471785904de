import { type GreyImage, histogramOf, percentile } from './grey-image.ts';
import { type Quad, rectified } from './homography.ts';
import { greyOf, rawGrey } from './open-picture.sharp.ts';
import { darkened, stretched } from './whiten.ts';

/**
 * Heights of the cutout in pixels, with and without smoothing, stretching or darkening. Each way misreads different
 * digits.
 */
const WAYS = [
  { height: 48, smooth: false, clear: false, dark: false },
  { height: 36, smooth: false, clear: true, dark: false },
  { height: 64, smooth: true, clear: true, dark: true },
  { height: 30, smooth: false, clear: true, dark: true },
] as const;
/** The smoothing radius, as a share of the height of the cutout. */
const SMOOTHING = 1 / 50;
const WIDTH_MAX = 2000;
const INK_SHARE = 0.02;
const PAPER_SHARE = 0.6;

/**
 * Cuts a few words out of the opened page and enlarges them in several ways, each to be read separately. They have no
 * frame, because the recogniser takes its edge for a character.
 */
export async function closeUps(page: GreyImage, quad: Quad): Promise<readonly GreyImage[]> {
  const cut = rectified(page, quad)?.image;
  if (!cut) return [];
  return Promise.all(
    WAYS.map(async ({ height, smooth, clear, dark }) => {
      const width = Math.min(WIDTH_MAX, Math.max(3, Math.round((cut.width * height) / cut.height)));
      const resized = rawGrey(cut).resize({ width, height, fit: 'fill' });
      const image = await greyOf(smooth ? resized.blur(Math.max(0.3, height * SMOOTHING)) : resized);
      if (!clear) return image;
      const counts = histogramOf(image);
      const stretchedImage = stretched(image, percentile(counts, INK_SHARE), percentile(counts, PAPER_SHARE));
      return dark ? darkened(stretchedImage) : stretchedImage;
    }),
  );
}
