const EXIF = 'Exif\0\0';
/** The marker and the length of the segment precede its data. */
const BEFORE_EXIF = 4;

/**
 * Blanks the EXIF of photographs that a PDF embeds unchanged, as scanners and phones do. No byte moves, so the object
 * table stays valid. The document's own statements (`/Author`, `/Producer`) stay.
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
