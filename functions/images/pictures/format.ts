import type { GreyImage } from './grey-image.ts';

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'tiff' | 'pdf';

/** Readers of PDF accept a header that other bytes precede, up to this far into the file. */
const PDF_HEADER_WITHIN = 1024;

const SIGNATURES: readonly (readonly [PictureFormat, string])[] = [
  ['jpeg', '\xff\xd8\xff'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
];

/** The format that the content shows. What a sender declares, and how a file is named, is no evidence. */
export function formatOf(bytes: Uint8Array): PictureFormat | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PDF_HEADER_WITHIN));
  const text = start.toString('latin1');
  const match = SIGNATURES.find(([, signature]) => text.startsWith(signature));
  return match?.[0] ?? (text.includes('%PDF-') ? 'pdf' : undefined);
}

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
