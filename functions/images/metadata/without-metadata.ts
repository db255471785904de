import type { PictureFormat } from '../pictures/format.ts';
import { withoutGifMetadata } from './gif.ts';
import { withoutJpegMetadata } from './jpeg.ts';
import { withoutExifInPdf } from './pdf.ts';
import { withoutPngMetadata } from './png.ts';
import { withoutTiffMetadata } from './tiff.ts';

const STRIPPERS: Readonly<Record<PictureFormat, (bytes: Uint8Array) => Uint8Array>> = {
  jpeg: withoutJpegMetadata,
  png: withoutPngMetadata,
  gif: withoutGifMetadata,
  tiff: withoutTiffMetadata,
  pdf: withoutExifInPdf,
};

/**
 * The picture without metadata about person, place and device: EXIF with GPS, XMP, IPTC, comments. Pixels are not
 * encoded again; colours, orientation and programs that are signs of alteration stay. Equal bytes give equal results,
 * so that a repeated call is recognised. In a broken file, everything after the break is left unchanged.
 */
export const withoutMetadata = (bytes: Uint8Array, format: PictureFormat): Uint8Array => STRIPPERS[format](bytes);
