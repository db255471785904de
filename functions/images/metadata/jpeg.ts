import { exifFactsIn, exifOf } from './exif.ts';
import { signsIn } from './signs.ts';

const [MARKER, START_OF_SCAN, APP0, APP1, APP2, APP14, APP15, COMMENT] = [
  0xff, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe,
];
const EMPTY_COMMENT = Buffer.from([MARKER, COMMENT, 0, 2]);
const EXIF = 'Exif\0\0';
/** Application segments that affect drawing: JFIF, the colour profile, and Adobe's transform. */
const DRAWN_BY: ReadonlyMap<number, string> = new Map([
  [APP0, 'JFIF\0'],
  [APP2, 'ICC_PROFILE\0'],
  [APP14, 'Adobe'],
]);

interface Segment {
  readonly marker: number;
  /** The offset of the segment's marker; `end` is the offset behind its data. */
  readonly start: number;
  readonly end: number;
}

/** The segments before the first scan, and the offset of that scan. */
function segmentsOf(file: Buffer): { readonly segments: readonly Segment[]; readonly rest: number } {
  const segments: Segment[] = [];
  let at = 2;
  while (at + 4 <= file.length && file[at] === MARKER) {
    const marker = file[at + 1]!;
    // Any number of fill bytes may precede a marker.
    if (marker === MARKER) {
      at += 1;
      continue;
    }
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (marker === START_OF_SCAN || marker < 0xc0 || end < at + 4 || end > file.length) break;
    segments.push({ marker, start: at, end });
    at = end;
  }
  return { segments, rest: at };
}

/** Removes comments, application segments that do not affect drawing, and everything after the picture. */
export function withoutJpegMetadata(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { segments, rest } = segmentsOf(file);
  const textAt = ({ start }: Segment, length: number) => file.toString('latin1', start + 4, start + 4 + length);
  const isKept = (segment: Segment) => {
    const { marker } = segment;
    if (marker === COMMENT) return false;
    if (marker < APP0 || marker > APP15) return true;
    const drawnBy = DRAWN_BY.get(marker);
    return drawnBy !== undefined && textAt(segment, drawnBy.length) === drawnBy;
  };
  const dropped = segments.filter((segment) => !isKept(segment));
  const end = endOfPicture(file, rest);
  if (dropped.length === 0 && end === file.length) return bytes;
  const drawing = segments.filter(isKept).map((one) => file.subarray(one.start, one.end));
  const turned = factsOf(file, dropped).map(exifSegment);
  // JFIF must be the first segment.
  const [first, ...others] = drawing;
  const ordered = first?.[1] === APP0 ? [first, ...turned, ...others] : [...turned, ...drawing];
  // A file that breaks off behind its metadata is still a JPEG, and recognised as one by any segment.
  const isBroken = ordered.length === 0 && file[rest] !== MARKER;
  const head = isBroken ? [EMPTY_COMMENT] : ordered;
  return new Uint8Array(Buffer.concat([file.subarray(0, 2), ...head, file.subarray(rest, end)]));
}

/** EXIF with the orientation and the signs of alteration that the segments contain. */
function factsOf(file: Buffer, segments: readonly Segment[]): Buffer[] {
  const bodies = segments
    .filter(({ marker }) => marker === APP1)
    .map(({ start, end }) => file.subarray(start + 4, end));
  const exif = bodies.find((body) => body.toString('latin1', 0, EXIF.length) === EXIF);
  const { orientation, software } = exif ? exifFactsIn(exif.subarray(EXIF.length)) : {};
  const packets = bodies.filter((body) => body !== exif).map((body) => body.toString('latin1'));
  const facts = exifOf({ orientation, software: signsIn([software], packets) });
  return facts ? [facts] : [];
}

function exifSegment(exif: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(EXIF, 'latin1'), exif]);
  const head = Buffer.from([MARKER, APP1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/**
 * The end of the picture, which is its end-of-image marker. Phones append other pictures and films after it, with
 * metadata of their own. Within a scan 0xff is followed by 0 or a restart marker; between two scans there are segments.
 */
function endOfPicture(file: Buffer, scan: number): number {
  if (file[scan] !== MARKER || file[scan + 1] !== START_OF_SCAN) return file.length;
  let at = scan;
  for (;;) {
    at = file.indexOf(MARKER, at);
    if (at < 0 || at + 1 >= file.length) return file.length;
    const marker = file[at + 1]!;
    if (marker === 0xd9) return at + 2;
    const isData = marker === 0 || marker === MARKER || (marker >= 0xd0 && marker <= 0xd7) || marker < 0xc0;
    if (isData) {
      at += marker === MARKER ? 1 : 2;
      continue;
    }
    if (at + 4 > file.length) return file.length;
    at += 2 + file.readUInt16BE(at + 2);
  }
}
