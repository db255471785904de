import sharp from 'sharp';
import type { GreyImage } from '../pictures/grey-image.ts';
import { greyOf, rawGrey } from '../pictures/open-picture.sharp.ts';
import { BLOCK, hottestWord } from './error-levels.ts';

/** What was pasted shows best at the quality at which the rest was compressed before, which is not known. */
const QUALITIES = [70, 80, 90];
/** More pixels would take seconds; of larger pictures the middle is compared. */
const SIDE_MAX = 4000;
/** A progressive JPEG is unpacked whole, for the second time: that of a larger one would fill the memory. */
const PIXELS_MAX = 32_000_000;

/** How much the hottest word of a JPEG stands out: see `hottestWord`. Undefined if that tells nothing of this picture. */
export async function pastedPrint(bytes: Uint8Array): Promise<number | undefined> {
  const page = await middleOf(bytes);
  if (!page) return undefined;
  let hottest: number | undefined;
  for (const quality of QUALITIES) {
    const again = await greyOf(sharp(await rawGrey(page).jpeg({ quality }).toBuffer()));
    const heat = hottestWord(page, again);
    if (heat === undefined) return undefined;
    hottest = Math.max(hottest ?? 0, heat);
  }
  return hottest;
}

/** As it was stored: a picture that is turned or resized has lost the grid of its blocks. */
async function middleOf(bytes: Uint8Array): Promise<GreyImage | undefined> {
  const { width, height } = await sharp(bytes, { failOn: 'error' }).metadata();
  if (width * height > PIXELS_MAX) return undefined;
  const [left, top] = [width, height].map((side) => Math.max(0, Math.floor((side - SIDE_MAX) / 2 / BLOCK) * BLOCK));
  const area = { left: left!, top: top!, width: Math.min(width, SIDE_MAX), height: Math.min(height, SIDE_MAX) };
  return greyOf(sharp(bytes, { failOn: 'error' }).extract(area));
}
