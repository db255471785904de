/** The decoded `base64_data`. Its length is known before it is decoded. */
export interface ImageData {
  readonly byteLength: number;
  decode(): Uint8Array;
}

const DATA_URL = /^data:[^,]{0,200};base64,/i;
const LINE_BREAKS = /[\r\n]+/g;
const NOT_STANDARD = /[^A-Za-z0-9+/]/;
const NOT_URL_SAFE = /[^A-Za-z0-9_-]/;

/**
 * Reads base64 in the standard or URL-safe alphabet, with or without padding, line breaks and a `data:` prefix.
 * Undefined for any other text, and for empty data.
 */
export function imageDataIn(text: string): ImageData | undefined {
  const encoded = text.slice(DATA_URL.exec(text.slice(0, 220))?.[0].length ?? 0).replaceAll(LINE_BREAKS, '');
  const digits = encoded.replace(/={1,2}$/, '');
  if (NOT_STANDARD.test(digits) && NOT_URL_SAFE.test(digits)) return undefined;
  // A final group of one character holds no whole byte, and padding completes a group of four.
  const isPadded = digits.length < encoded.length;
  if (digits === '' || digits.length % 4 === 1 || (isPadded && encoded.length % 4 !== 0)) return undefined;
  return {
    byteLength: Math.floor((digits.length * 3) / 4),
    decode: () => Buffer.from(digits, 'base64'),
  };
}
