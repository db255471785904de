/** The file's header, by which its format is recognised: no directory or value of a valid file lies in it. */
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;
/** The size of a value in bytes, by entry type. */
const BYTES_OF_TYPE = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
/** Limits the directories, so that circular references end. A file of 10 MB needs fewer. */
const DIRECTORIES_MAX = 100;

const SUB_DIRECTORIES = 0x014a;
/** Directories that hold only metadata: EXIF, GPS, interoperability. */
const METADATA_DIRECTORIES = new Set([0x8769, 0x8825, 0xa005]);
/**
 * Texts about document, device, day and person; XMP, IPTC, Photoshop, and Windows additions. The software entry stays,
 * because it may be a sign of alteration.
 */
const METADATA = new Set([
  0x010d, 0x010e, 0x010f, 0x0110, 0x011d, 0x0132, 0x013b, 0x013c, 0x02bc, 0x83bb, 0x8649, 0x8298, 0x9c9b, 0x9c9c,
  0x9c9d, 0x9c9e, 0x9c9f, 0xc4a5, 0x935c,
]);

/** Removes metadata entries from every directory and blanks their values in place; no other byte moves. */
export function withoutTiffMetadata(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength < HEADER_BYTES) return bytes;
  const file = Buffer.from(bytes);
  const tiff = new Tiff(file);
  let wasChanged = false;
  const waiting = [tiff.long(4)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === 0 || seen.has(at) || seen.size >= DIRECTORIES_MAX) continue;
    seen.add(at);
    const directory = tiff.directory(at);
    if (!directory) continue;
    waiting.push(directory.next, ...directory.entries.flatMap((entry) => tiff.subDirectories(entry)));
    const dropped = directory.entries.filter(({ tag }) => isMetadata(tag));
    if (dropped.length === 0) continue;
    wasChanged = true;
    for (const entry of dropped) tiff.blank(entry, seen);
    tiff.rewrite(at, directory, ({ tag }) => !isMetadata(tag));
  }
  return wasChanged ? new Uint8Array(file) : bytes;
}

const isMetadata = (tag: number) => METADATA.has(tag) || METADATA_DIRECTORIES.has(tag);

interface Entry {
  readonly at: number;
  readonly tag: number;
  readonly count: number;
  /** The offset of the value; `bytes` is its size. */
  readonly value: number;
  readonly bytes: number;
}

interface Directory {
  readonly entries: readonly Entry[];
  readonly next: number;
}

class Tiff {
  private readonly file: Buffer;
  private readonly isLittle: boolean;
  /**
   * Values of a valid file do not overlap, so at most the file's length is blanked. This bounds the time for a hostile
   * file.
   */
  private toBlank: number;

  constructor(file: Buffer) {
    this.file = file;
    this.isLittle = file[0] === 0x49;
    this.toBlank = file.length;
  }

  short(at: number): number {
    return this.isLittle ? this.file.readUInt16LE(at) : this.file.readUInt16BE(at);
  }

  long(at: number): number {
    return this.isLittle ? this.file.readUInt32LE(at) : this.file.readUInt32BE(at);
  }

  /** Undefined if the directory is not inside the file, behind its header. */
  directory(at: number): Directory | undefined {
    if (at < HEADER_BYTES || at + 2 > this.file.length) return undefined;
    const end = at + 2 + this.short(at) * ENTRY_BYTES;
    if (end + 4 > this.file.length) return undefined;
    const entries: Entry[] = [];
    for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) entries.push(this.entry(entry));
    return { entries, next: this.long(end) };
  }

  private entry(at: number): Entry {
    const count = this.long(at + 4);
    const bytes = (BYTES_OF_TYPE[this.short(at + 2)] ?? 0) * count;
    return { at, tag: this.short(at), count, value: bytes <= 4 ? at + 8 : this.long(at + 8), bytes };
  }

  /** The offsets of the directories below an entry. */
  subDirectories({ tag, count, value }: Entry): number[] {
    if (tag !== SUB_DIRECTORIES || value + count * 4 > this.file.length) return [];
    return Array.from({ length: Math.min(count, DIRECTORIES_MAX) }, (_, n) => this.long(value + n * 4));
  }

  /** @param seen directories that were already blanked */
  blank(entry: Entry, seen: Set<number>): void {
    if (METADATA_DIRECTORIES.has(entry.tag)) this.blankDirectory(this.long(entry.at + 8), seen);
    const from = Math.max(entry.value, HEADER_BYTES);
    const end = Math.min(entry.value + entry.bytes, from + this.toBlank, this.file.length);
    if (end <= from) return;
    this.toBlank -= end - from;
    this.file.fill(0, from, end);
  }

  private blankDirectory(at: number, seen: Set<number>): void {
    if (seen.has(at) || seen.size >= DIRECTORIES_MAX) return;
    seen.add(at);
    const directory = this.directory(at);
    if (!directory) return;
    for (const entry of directory.entries) this.blank(entry, seen);
    this.file.fill(0, at, at + 2 + directory.entries.length * ENTRY_BYTES + 4);
  }

  /** Rewrites the directory in place with these entries only. */
  rewrite(at: number, { entries, next }: Directory, isKept: (entry: Entry) => boolean): void {
    const entryCopies = entries
      .filter(isKept)
      .map((entry) => Buffer.from(this.file.subarray(entry.at, entry.at + ENTRY_BYTES)));
    const end = at + 2 + entries.length * ENTRY_BYTES + 4;
    this.file.fill(0, at, end);
    const write = (value: number, to: number, bytes: number) =>
      this.isLittle ? this.file.writeUIntLE(value, to, bytes) : this.file.writeUIntBE(value, to, bytes);
    write(entryCopies.length, at, 2);
    for (const [n, entry] of entryCopies.entries()) entry.copy(this.file, at + 2 + n * ENTRY_BYTES);
    write(next, at + 2 + entryCopies.length * ENTRY_BYTES, 4);
  }
}
