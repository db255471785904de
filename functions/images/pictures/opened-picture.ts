import type { PictureFormat } from './format.ts';
import type { GreyImage } from './grey-image.ts';

export interface OpenedPicture {
  readonly format: PictureFormat;
  /** Pages upright as the camera held them, white where they were transparent, and no larger than can be read. */
  readonly pages: readonly GreyImage[];
  /** Pages of the file, which may be more than were opened. */
  readonly pageCount: number;
}

/**
 * Why a file was not opened. `unknown`: no format that we read; `damaged` includes files that break off. Files that are
 * `too-large` in pixels, or `too-costly` in memory or time, were not looked at: nothing is wrong with them for sure.
 */
export type Unopened = 'empty' | 'unknown' | 'too-large' | 'too-costly' | 'damaged';
