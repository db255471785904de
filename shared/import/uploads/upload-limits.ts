const MIB = 1024 ** 2;

/** The largest file that can be uploaded by links. Larger ones are put into the bucket by the import command. */
export const UPLOAD_BYTES_MAX = 5_000_000_000;
/** All links of an upload are in one answer. */
const PARTS_MAX = 100;
/** The size of the parts of small files. S3 requires 5 MiB of all parts but the last. */
const PART_BYTES_MIN = 8 * MIB;

/** The beginning of a file, from which a preview is made. */
export const HEAD_BYTES_MAX = 48 * 1024;
/** The most text that a preview reads: a compressed beginning may hold a thousand times its size. */
export const PREVIEW_TEXT_BYTES_MAX = 1024 * 1024;
export const PREVIEW_ROWS = 10;

/** The size of each part but the last, and the number of parts. */
export function partsOf(bytes: number): {
  readonly partBytes: number;
  readonly parts: number;
} {
  const partBytes = Math.max(PART_BYTES_MIN, Math.ceil(bytes / PARTS_MAX));
  return { partBytes, parts: Math.ceil(bytes / partBytes) };
}
