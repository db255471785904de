/** The least that is recognised as an image of each format, and different for every name. */
const STARTS = {
  jpeg: '\xff\xd8\xff',
  png: '\x89PNG\r\n\x1a\n',
  gif: 'GIF89a',
  tiff: 'II*\0',
  pdf: '%PDF-1.7\n',
} as const;
export type ImageFormat = keyof typeof STARTS;

interface ImageOptions {
  /** @default jpeg */
  readonly format?: ImageFormat;
  /** @default as few as it takes */
  readonly bytes?: number;
}

export function imageBytes(name: string, { format = 'jpeg', bytes = 0 }: ImageOptions = {}): Buffer {
  const start = Buffer.from(`${STARTS[format]}${name}`, 'latin1');
  return Buffer.concat([start, Buffer.alloc(Math.max(0, bytes - start.length), 7)]);
}

export const base64Image = (name: string, more: ImageOptions = {}): string => imageBytes(name, more).toString('base64');
