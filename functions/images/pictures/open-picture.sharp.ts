import sharp, { type Sharp } from 'sharp';
import { formatOf, type OpenedPicture, type PictureFormat, type Unopened } from './format.ts';
import type { GreyImage } from './grey-image.ts';
import { pdfPages } from './pdf-pages.pdfium.ts';

// The function has one processor, so more threads of libvips would only wait, at a cost of 4 % of the time.
sharp.concurrency(1);

/**
 * Phone photographs have 12 to 50 million pixels. A bomb of 0.5 MB can hold more than 100 million, which would exhaust
 * the function's memory.
 */
const PIXELS_MAX = 64_000_000;
const PAGES_MAX = 5;
/** The width of a receipt must keep its detail, however long the receipt is. */
const SHORT_SIDE_MAX = 1800;
const LONG_SIDE_MAX = 4800;

export async function openPicture(bytes: Uint8Array): Promise<OpenedPicture | Unopened> {
  if (bytes.byteLength === 0) return 'empty';
  const format = formatOf(bytes);
  if (format === undefined) return 'unknown';
  try {
    return format === 'pdf' ? await openPdf(bytes) : await openRaster(bytes, format);
  } catch (error) {
    // The library has exhausted its memory and cannot be used any more.
    if (error instanceof WebAssembly.RuntimeError) return 'too-costly';
    return /pixel limit/i.test(String(error)) ? 'too-large' : 'damaged';
  }
}

async function openPdf(bytes: Uint8Array): Promise<OpenedPicture | Unopened> {
  const { pages, pageCount } = await pdfPages(bytes, { pagesMax: PAGES_MAX, pixelsMax: PIXELS_MAX });
  if (pageCount === 0) return 'damaged';
  const opened = await Promise.all(pages.map((page) => bounded(rawGrey(page))));
  return { format: 'pdf', pages: opened, pageCount };
}

async function openRaster(bytes: Uint8Array, format: PictureFormat): Promise<OpenedPicture> {
  // Only the first frame of an animated GIF counts. A TIFF holds the pages of a scan.
  const pageCount = format === 'tiff' ? ((await strictly(bytes, 0).metadata()).pages ?? 1) : 1;
  const pages: GreyImage[] = [];
  for (let page = 0; page < Math.min(pageCount, PAGES_MAX); page += 1) {
    pages.push(await bounded(strictly(bytes, page).autoOrient()));
  }
  return { format, pages, pageCount };
}

/** `error` refuses truncated files and accepts the stray bytes that some cameras write. */
function strictly(bytes: Uint8Array, page: number): Sharp {
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', page, pages: 1 });
}

async function bounded(picture: Sharp): Promise<GreyImage> {
  const { width, height } = (await picture.metadata()).autoOrient;
  const portrait = height >= width;
  const resized = picture.flatten({ background: '#ffffff' }).resize({
    width: portrait ? SHORT_SIDE_MAX : LONG_SIDE_MAX,
    height: portrait ? LONG_SIDE_MAX : SHORT_SIDE_MAX,
    fit: 'inside',
    withoutEnlargement: true,
  });
  return greyOf(resized);
}

/** The output of the pipeline with one byte per pixel, whatever its colours and depth. */
export async function greyOf(pipeline: Sharp): Promise<GreyImage> {
  const { data, info } = await pipeline
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

export function rawGrey({ width, height, pixels }: GreyImage): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}
