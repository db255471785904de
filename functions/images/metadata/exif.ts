const [ORIENTATION, SOFTWARE] = [0x0112, 0x0131];
const [ASCII, SHORT] = [2, 3];
const ENTRY_BYTES = 12;

/** The facts in EXIF that reveal no person, place or device. */
export interface ExifFacts {
  /** A value from 2 to 8; absent if the picture is upright. */
  readonly orientation?: number | undefined;
  /** The program that wrote the file. */
  readonly software?: string | undefined;
}

/** Reads the first EXIF directory; empty if it is unreadable. */
export function exifFactsIn(exif: Buffer): ExifFacts {
  const order = exif.toString('latin1', 0, 2);
  if (exif.length < 8 || (order !== 'II' && order !== 'MM')) return {};
  const isLittle = order === 'II';
  const shortAt = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const longAt = (at: number) => (isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  const directory = longAt(4);
  if (directory + 2 > exif.length) return {};
  let facts: ExifFacts = {};
  const end = Math.min(directory + 2 + shortAt(directory) * ENTRY_BYTES, exif.length - ENTRY_BYTES + 1);
  for (let at = directory + 2; at < end; at += ENTRY_BYTES) {
    const [tag, type, count] = [shortAt(at), shortAt(at + 2), longAt(at + 4)];
    if (tag === ORIENTATION && type === SHORT) {
      const value = shortAt(at + 8);
      if (value >= 2 && value <= 8) facts = { ...facts, orientation: value };
    }
    if (tag === SOFTWARE && type === ASCII) {
      const start = count <= 4 ? at + 8 : longAt(at + 8);
      const text = exif.toString('latin1', start, Math.min(start + count, start + SOFTWARE_MAX));
      facts = { ...facts, software: text.replace(/\0.*$/s, '') };
    }
  }
  return facts;
}

const SOFTWARE_MAX = 200;

/** Writes EXIF with these facts only; undefined if there are none. */
export function exifOf({ orientation, software }: ExifFacts): Buffer | undefined {
  if (orientation === undefined && software === undefined) return undefined;
  const text =
    software === undefined ? undefined : Buffer.from(`${software.slice(0, SOFTWARE_MAX).padEnd(4)}\0`, 'latin1');
  const count = Number(orientation !== undefined) + Number(text !== undefined);
  const values = 8 + 2 + count * ENTRY_BYTES + 4;
  const exif = Buffer.alloc(values + (text?.length ?? 0));
  exif.write('MM\0*', 'latin1');
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(count, 8);
  let at = 10;
  if (orientation !== undefined) {
    exif.writeUInt16BE(ORIENTATION, at);
    exif.writeUInt16BE(SHORT, at + 2);
    exif.writeUInt32BE(1, at + 4);
    exif.writeUInt16BE(orientation, at + 8);
    at += ENTRY_BYTES;
  }
  if (text) {
    exif.writeUInt16BE(SOFTWARE, at);
    exif.writeUInt16BE(ASCII, at + 2);
    exif.writeUInt32BE(text.length, at + 4);
    exif.writeUInt32BE(values, at + 8);
    text.copy(exif, values);
  }
  return exif;
}
