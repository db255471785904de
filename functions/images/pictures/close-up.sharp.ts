import { type GreyImage, histogramOf, percentile } from './grey-image.ts';
import { type Quad, rectified } from './homography.ts';
import { greyOf, rawGrey } from './open-picture.sharp.ts';
import { darkened, stretched } from './whiten.ts';

/** Heights of the print in pixels, with and without smoothing or darkening. Each way misreads different digits. */
const WAYS = [
  { height: 26, smooth: true, dark: true },
  { height: 52, smooth: false, dark: true },
  { height: 36, smooth: false, dark: false },
  { height: 52, smooth: true, dark: false },
] as const;
/** The smoothing radius, as a share of the height of the print. */
const SMOOTHING = 1 / 30;
/** The print fills this share of the height of the cutout. */
const FILLED = 1 / 1.7;
const WIDTH_MAX = 2000;
const MARGIN = 12;
const INK_SHARE = 0.02;
const PAPER_SHARE = 0.6;

/** Cuts a few words out of the opened page and enlarges them in several ways, each to be read separately. */
export async function closeUps(page: GreyImage, quad: Quad): Promise<readonly GreyImage[]> {
  const cut = rectified(page, quad)?.image;
  if (!cut) return [];
  return Promise.all(
    WAYS.map(async ({ height, smooth, dark }) => {
      const width = Math.min(WIDTH_MAX, Math.max(3, Math.round((cut.width * height) / (cut.height * FILLED))));
      const enlarged = rawGrey(cut).resize({ width });
      const image = await greyOf(smooth ? enlarged.blur(height * SMOOTHING) : enlarged);
      const counts = histogramOf(image);
      const clear = stretched(image, percentile(counts, INK_SHARE), percentile(counts, PAPER_SHARE));
      return greyOf(
        rawGrey(dark ? darkened(clear) : clear).extend({
          top: MARGIN,
          bottom: MARGIN,
          left: MARGIN,
          right: MARGIN,
          background: '#ffffff',
        }),
      );
    }),
  );
}
