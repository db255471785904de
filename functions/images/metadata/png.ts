import { crc32, inflateSync } from 'node:zlib';
import { exifFactsIn, exifOf } from './exif.ts';
import { signsIn } from './signs.ts';

const SIGNATURE_BYTES = 8;
/** A chunk has its length and type before its data, and a checksum after it. */
const AROUND_DATA = 12;
/** Limits how many text chunks are decompressed, so that a file full of them costs no time. */
const TEXTS_MAX = 16;
const TEXT_MAX = 200_000;
/** Chunks that affect drawing. Text, time, EXIF and private chunks are not among them. */
const DRAWN_BY = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The chunks up to the last one, and the offset after them. */
function chunksOf(file: Buffer): { readonly chunks: readonly Chunk[]; readonly rest: number } {
  const chunks: Chunk[] = [];
  let at = SIGNATURE_BYTES;
  while (at + AROUND_DATA <= file.length) {
    const end = at + AROUND_DATA + file.readUInt32BE(at);
    if (end > file.length) break;
    const type = file.toString('latin1', at + 4, at + 8);
    chunks.push({ type, start: at, end });
    at = end;
    if (type === 'IEND') break;
  }
  return { chunks, rest: at };
}

/**
 * Removes all chunks that do not affect drawing, and everything after the last one. The orientation is kept as EXIF.
 */
export function withoutPngMetadata(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { chunks, rest } = chunksOf(file);
  const dropped = chunks.filter(({ type }) => !DRAWN_BY.has(type));
  const end = chunks.at(-1)?.type === 'IEND' ? rest : file.length;
  if (dropped.length === 0 && end === file.length) return bytes;
  const drawn = chunks.filter(({ type }) => DRAWN_BY.has(type)).map((one) => file.subarray(one.start, one.end));
  const [header = Buffer.alloc(0), ...others] = drawn;
  const parts = [file.subarray(0, SIGNATURE_BYTES), header, ...factsOf(file, dropped), ...others];
  return new Uint8Array(Buffer.concat([...parts, file.subarray(rest, end)]));
}

/** The orientation and the signs of alteration that the chunks contain. */
function factsOf(file: Buffer, chunks: readonly Chunk[]): Buffer[] {
  const data = (of: string) =>
    chunks.filter(({ type }) => type === of).map(({ start, end }) => file.subarray(start + 8, end - 4));
  const [exif] = data('eXIf').map(exifFactsIn);
  const texts = data('tEXt').map((text) => text.toString('latin1').split('\0'));
  const software = texts.filter(([name]) => name === 'Software').map(([, text]) => text);
  const packets = [
    ...data('iTXt').slice(0, TEXTS_MAX).map(internationalText),
    ...data('zTXt').slice(0, TEXTS_MAX).map(compressedText),
  ];
  const signs = signsIn([exif?.software, ...software], packets);
  const turned = exifOf({ orientation: exif?.orientation });
  return [
    ...(turned ? [chunk('eXIf', turned)] : []),
    // Programs look for the software in this text chunk; few read it from EXIF.
    ...(signs === undefined ? [] : [chunk('tEXt', Buffer.from(`Software\0${signs}`, 'latin1'))]),
  ];
}

/** The compression method and the text follow the keyword. */
const compressedText = (data: Buffer): string => inflated(data.subarray(data.indexOf(0) + 2));

/** A compression flag and method, the language, the translated keyword and the text follow the keyword. */
function internationalText(data: Buffer): string {
  const flag = data.indexOf(0) + 1;
  const text = data.indexOf(0, data.indexOf(0, flag + 2) + 1) + 1;
  return data[flag] === 1 ? inflated(data.subarray(text)) : data.toString('latin1');
}

/** Returns an empty text if the data is unreadable, or longer than metadata usually is. */
function inflated(data: Buffer): string {
  try {
    return inflateSync(data, { maxOutputLength: TEXT_MAX }).toString('latin1');
  } catch {
    return '';
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(typeAndData), 4);
  return Buffer.concat([around.subarray(0, 4), typeAndData, around.subarray(4)]);
}
