import { constants, inflateSync } from 'node:zlib';

export interface PdfFacts {
  /** Programs that the file names as its producer and creator. */
  readonly programs: readonly string[];
  /** True if content was appended after the file was complete. Signing a document also does so. */
  readonly updated: boolean;
}

/**
 * These limits bound the search for the two names: a file can hold thousands of streams, and decompression bombs among
 * them.
 */
const STREAMS_MAX = 20;
const STREAM_BYTES_MAX = 1_000_000;
const HEADER_WITHIN = 400;

const LITERAL = /\/(?:Producer|Creator)\s{0,9}\(((?:\\[\s\S]|[^\\()]){1,400})\)/g;
const HEXADECIMAL = /\/(?:Producer|Creator)\s{0,9}<([0-9A-Fa-f\s]{2,800})>/g;

/** Reads the facts from the raw file, because the library that draws the pages does not expose them. */
export function pdfFacts(bytes: Uint8Array): PdfFacts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const programs = [text, ...unpacked(text)].flatMap((part) => [
    ...[...part.matchAll(LITERAL)].map(([, literal = '']) => decoded(unescaped(literal))),
    ...[...part.matchAll(HEXADECIMAL)].map(([, digits = '']) =>
      decoded(Buffer.from(digits.replace(/\s/g, ''), 'hex').toString('latin1')),
    ),
  ]);
  // A file that is linearised for the web has a second end, which belongs to its first page.
  const ends = text.split('startxref').length - 1;
  return { programs: [...new Set(programs)], updated: ends > (text.includes('/Linearized') ? 2 : 1) };
}

/** Newer files keep the names in object streams. */
function unpacked(text: string): string[] {
  const parts: string[] = [];
  let tried = 0;
  for (let at = text.indexOf('/ObjStm'); at >= 0 && tried < STREAMS_MAX; at = text.indexOf('/ObjStm', at + 1)) {
    tried += 1;
    const [opening] = /stream\r?\n/.exec(text.slice(at, at + HEADER_WITHIN)) ?? [];
    if (opening === undefined) continue;
    const start = text.indexOf(opening, at) + opening.length;
    const packed = Buffer.from(text.slice(start, text.indexOf('endstream', start)), 'latin1');
    try {
      const options = { maxOutputLength: STREAM_BYTES_MAX, finishFlush: constants.Z_SYNC_FLUSH };
      parts.push(inflateSync(packed, options).toString('latin1'));
    } catch {
      // The stream is damaged or uses another compression.
    }
  }
  return parts;
}

const unescaped = (literal: string) =>
  literal.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, sign: string) =>
    /^[0-7]/.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8) & 255) : sign,
  );

/** UTF-16 text starts with a byte order mark. */
const decoded = (text: string) =>
  text.startsWith('\xfe\xff') ? new TextDecoder('utf-16be').decode(Buffer.from(text, 'latin1')) : text;
