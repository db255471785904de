const EXIF = 'Exif\0\0';
/** The mark of the segment and its length stand before it. */
const BEFORE_EXIF = 4;

/**
 * Blanks EXIF of photographs that stand in a document as they were taken, as scanners and phones put them in. No byte moves,
 * so that the document's table of objects stays right. What a document says of itself (`/Author`, `/Producer`) stays.
 */
export function withoutExifInPdf(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes);
  let wasChanged = false;
  for (let at = file.indexOf(EXIF, 0, 'latin1'); at >= 0; at = file.indexOf(EXIF, at + 1, 'latin1')) {
    const start = at - BEFORE_EXIF;
    if (start < 0 || file[start] !== 0xff || file[start + 1] !== 0xe1) continue;
    const end = Math.min(start + 2 + file.readUInt16BE(start + 2), file.length);
    file.fill(0, at + EXIF.length, Math.max(end, at + EXIF.length));
    wasChanged = true;
  }
  return wasChanged ? new Uint8Array(file) : bytes;
}
