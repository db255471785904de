import sharp from 'sharp';
import type { GreyImage } from '../pictures/grey-image.ts';
import { greyOf, rawGrey } from '../pictures/open-picture.sharp.ts';
import { BLOCK, hottestWord } from './error-levels.ts';

/** Pasted print shows best at the quality of the earlier compression, which is unknown, so several are tried. */
const QUALITIES = [70, 80, 90];
/** More pixels would take seconds, so only the middle of a larger picture is compared. */
const SIDE_MAX = 4000;
/** This is the second time that a progressive JPEG is decoded as a whole, and a larger one would exhaust the memory. */
const PIXELS_MAX = 32_000_000;

/**
 * The heat of the most suspicious word of a JPEG: see `hottestWord`. Undefined if it proves nothing for this picture.
 */
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

/** Returns the pixels as they are stored, because turning or resizing destroys the grid of blocks. */
async function middleOf(bytes: Uint8Array): Promise<GreyImage | undefined> {
  const { width, height } = await sharp(bytes, { failOn: 'error' }).metadata();
  if (width * height > PIXELS_MAX) return undefined;
  const [left, top] = [width, height].map((side) => Math.max(0, Math.floor((side - SIDE_MAX) / 2 / BLOCK) * BLOCK));
  const area = { left: left!, top: top!, width: Math.min(width, SIDE_MAX), height: Math.min(height, SIDE_MAX) };
  return greyOf(sharp(bytes, { failOn: 'error' }).extract(area));
}
