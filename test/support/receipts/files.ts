import sharp, { type Sharp } from 'sharp';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { rawGrey } from '../../../functions/images/pictures/open-picture.sharp.ts';
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
  const { quality, exifTurns, tint } = storing;
  const [first] = pages;
  const picture = (): Sharp => (tint === undefined ? rawGrey(first!) : rawGrey(first!).tint(tint));
  switch (kind) {
    case 'jpeg': {
      const turned = picture().rotate(90 * exifTurns);
      if (exifTurns === 0) return { bytes: await turned.jpeg({ quality }).toBuffer(), mimeType: 'image/jpeg' };
      const orientation = ORIENTATIONS[exifTurns]!;
      return { bytes: await turned.withMetadata({ orientation }).jpeg({ quality }).toBuffer(), mimeType: 'image/jpeg' };
    }
    case 'jpeg cmyk':
      return { bytes: await picture().toColourspace('cmyk').jpeg({ quality }).toBuffer(), mimeType: 'image/jpeg' };
    case 'png':
      return { bytes: await picture().png({ compressionLevel: 3 }).toBuffer(), mimeType: 'image/png' };
    case 'tiff':
      return { bytes: await picture().tiff({ compression: 'lzw' }).toBuffer(), mimeType: 'image/tiff' };
    case 'tiff pages':
      return { bytes: await (await joined(pages)).tiff({ compression: 'lzw' }).toBuffer(), mimeType: 'image/tiff' };
    case 'gif':
      return { bytes: await picture().gif({ effort: 1 }).toBuffer(), mimeType: 'image/gif' };
    case 'gif moving': {
      const second = { ...first!, pixels: new Uint8Array(first!.pixels.length).fill(120) };
      return { bytes: await (await joined([first!, second])).gif({ effort: 1 }).toBuffer(), mimeType: 'image/gif' };
    }
    case 'pdf':
    case 'pdf pages':
      return { bytes: await pdfOf(pages, quality), mimeType: 'application/pdf' };
  }
}

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
