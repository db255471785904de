import type { GreyImage } from './grey-image.ts';

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'tiff' | 'pdf';

/** PDF readers accept other bytes before the header, up to this offset. */
const PDF_HEADER_WITHIN = 1024;

const SIGNATURES: readonly (readonly [PictureFormat, string])[] = [
  ['jpeg', '\xff\xd8\xff'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
];

/** Detects the format by content. Declared types and file names are not trusted. */
export function formatOf(bytes: Uint8Array): PictureFormat | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PDF_HEADER_WITHIN));
  const text = start.toString('latin1');
  const match = SIGNATURES.find(([, signature]) => text.startsWith(signature));
  return match?.[0] ?? (text.includes('%PDF-') ? 'pdf' : undefined);
}

export interface OpenedPicture {
  readonly format: PictureFormat;
  /** The pages, upright as the camera held them, with transparency as white, and reduced to a readable size. */
  readonly pages: readonly GreyImage[];
  /** The pages of the file, of which fewer may have been opened. */
  readonly pageCount: number;
}

/**
 * The reason why a file was not opened. `unknown`: an unsupported format; `damaged`: also a truncated file. Files that
 * are `too-large` in pixels or `too-costly` in memory or time were not examined, so nothing is known against them.
 */
export type Unopened = 'empty' | 'unknown' | 'too-large' | 'too-costly' | 'damaged';
