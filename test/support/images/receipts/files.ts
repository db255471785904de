import sharp, { type Sharp } from 'sharp';
import type { GreyImage } from '../../../../functions/images/pictures/grey-image.ts';
import { rawGrey } from '../../../../functions/images/pictures/open-picture.sharp.ts';
import { pdfOf } from './pdf.ts';

export const FILE_KINDS = [
  'jpeg',
  'jpeg cmyk',
  'png',
  'tiff',
  'tiff pages',
  'gif',
  'gif moving',
  'pdf',
  'pdf pages',
] as const;

export type FileKind = (typeof FILE_KINDS)[number];

/** Kinds that hold a receipt in two pages. */
export const ofTwoPages = (kind: FileKind): boolean => kind === 'tiff pages' || kind === 'pdf pages';

export interface PictureFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

interface Storing {
  readonly quality: number;
  readonly exifTurns: number;
  /** The light in which it was photographed or scanned. */
  readonly tint: string | undefined;
}

/** What EXIF calls the turn that makes upright again what was turned clockwise by so many quarters. */
const ORIENTATIONS = [1, 8, 3, 6];

export async function stored(pages: readonly GreyImage[], kind: FileKind, storing: Storing): Promise<PictureFile> {
  const [mimeType, encode] = ENCODERS[kind];
  return { bytes: await encode(pages, storing), mimeType };
}

type Encoder = (pages: readonly GreyImage[], storing: Storing) => Promise<Buffer>;

/** The first page in the light of its tint. */
function picture([page]: readonly GreyImage[], { tint }: Storing): Sharp {
  return tint === undefined ? rawGrey(page!) : rawGrey(page!).tint(tint);
}

const ENCODERS: Readonly<Record<FileKind, readonly [mimeType: string, encode: Encoder]>> = {
  jpeg: [
    'image/jpeg',
    (pages, storing) => {
      const { quality, exifTurns } = storing;
      const turned = picture(pages, storing).rotate(90 * exifTurns);
      const marked = exifTurns === 0 ? turned : turned.withMetadata({ orientation: ORIENTATIONS[exifTurns]! });
      return marked.jpeg({ quality }).toBuffer();
    },
  ],
  'jpeg cmyk': [
    'image/jpeg',
    (pages, storing) => picture(pages, storing).toColourspace('cmyk').jpeg({ quality: storing.quality }).toBuffer(),
  ],
  png: ['image/png', (pages, storing) => picture(pages, storing).png({ compressionLevel: 3 }).toBuffer()],
  tiff: ['image/tiff', (pages, storing) => picture(pages, storing).tiff({ compression: 'lzw' }).toBuffer()],
  'tiff pages': ['image/tiff', async (pages) => (await joined(pages)).tiff({ compression: 'lzw' }).toBuffer()],
  gif: ['image/gif', (pages, storing) => picture(pages, storing).gif({ effort: 1 }).toBuffer()],
  'gif moving': [
    'image/gif',
    async ([page]) => {
      const second = { ...page!, pixels: new Uint8Array(page!.pixels.length).fill(120) };
      return (await joined([page!, second])).gif({ effort: 1 }).toBuffer();
    },
  ],
  pdf: ['application/pdf', (pages, { quality }) => pdfOf(pages, quality)],
  'pdf pages': ['application/pdf', (pages, { quality }) => pdfOf(pages, quality)],
};

/** Pages of one file have one size: short ones get white paper below. */
async function joined(pages: readonly GreyImage[]): Promise<Sharp> {
  const [width, height] = [Math.max(...pages.map((page) => page.width)), Math.max(...pages.map((page) => page.height))];
  const even = pages.map((page) =>
    rawGrey(page)
      .extend({ right: width - page.width, bottom: height - page.height, background: '#ffffff' })
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  return sharp(await Promise.all(even), { join: { animated: true } });
}
