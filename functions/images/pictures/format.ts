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
  const known = SIGNATURES.find(([, signature]) => text.startsWith(signature));
  return known?.[0] ?? (text.includes('%PDF-') ? 'pdf' : undefined);
}
