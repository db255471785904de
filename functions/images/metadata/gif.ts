const HEADER_BYTES = 13;
const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [COMMENT, APPLICATION] = [0xfe, 0xff];
/** Application blocks that affect drawing: the number of repetitions and the colour profile. */
const DRAWN_BY = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

const colours = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** Removes comments, application blocks including XMP, and everything after the picture. */
export function withoutGifMetadata(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = HEADER_BYTES + colours(file[10] ?? 0);
  const remaining: Buffer[] = [file.subarray(0, at)];
  let isWhole = true;
  while (at < file.length) {
    const end = endOfBlock(file, at);
    if (end === undefined) {
      remaining.push(file.subarray(at));
      break;
    }
    if (isMetadata(file, at)) isWhole = false;
    else remaining.push(file.subarray(at, end));
    if (file[at] === TRAILER) {
      isWhole &&= end === file.length;
      break;
    }
    at = end;
  }
  return isWhole ? bytes : new Uint8Array(Buffer.concat(remaining));
}

function isMetadata(file: Buffer, at: number): boolean {
  if (file[at] !== EXTENSION) return false;
  const label = file[at + 1];
  return label === COMMENT || (label === APPLICATION && !DRAWN_BY.has(file.toString('latin1', at + 3, at + 14)));
}

/** The end of the block; undefined if it is malformed or cut off. */
function endOfBlock(file: Buffer, at: number): number | undefined {
  if (file[at] === TRAILER) return at + 1;
  if (file[at] === EXTENSION) return endOfParts(file, at + 2);
  if (file[at] === IMAGE && at + 10 < file.length) return endOfParts(file, at + 11 + colours(file[at + 9]!));
  return undefined;
}

/**
 * The end of a sequence of parts, each with its length (up to 255 bytes) before it. A length of 0 ends the sequence.
 */
function endOfParts(file: Buffer, from: number): number | undefined {
  for (let at = from; at < file.length; at += 1 + file[at]!) {
    if (file[at] === 0) return at + 1;
  }
  return undefined;
}
