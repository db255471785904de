/** What `base64_data` holds: how many bytes, known before they are decoded, and the bytes. */
export interface ImageData {
  readonly byteLength: number;
  decode(): Uint8Array;
}

const DATA_URL = /^data:[^,]{0,200};base64,/i;
const LINE_BREAKS = /[\r\n]+/g;
const NOT_STANDARD = /[^A-Za-z0-9+/]/;
const NOT_URL_SAFE = /[^A-Za-z0-9_-]/;

/**
 * Reads base64 as clients write it: in the standard alphabet or in that of URLs, with or without padding, in one line or
 * in several, and with the beginning of a `data:` URL. Undefined for any other text, and for no bytes at all.
 */
export function imageDataIn(text: string): ImageData | undefined {
  const encoded = text.slice(DATA_URL.exec(text.slice(0, 220))?.[0].length ?? 0).replaceAll(LINE_BREAKS, '');
  const digits = encoded.replace(/={1,2}$/, '');
  if (NOT_STANDARD.test(digits) && NOT_URL_SAFE.test(digits)) return undefined;
  // A last group of one character holds no whole byte, and padding fills a group of four.
  const isPadded = digits.length < encoded.length;
  if (digits === '' || digits.length % 4 === 1 || (isPadded && encoded.length % 4 !== 0)) return undefined;
  return {
    byteLength: Math.floor((digits.length * 3) / 4),
    decode: () => Buffer.from(digits, 'base64'),
  };
}
