/**
 * The layout of a segment, version 2.
 *
 * Data object, `{id}.seg`: 1. Record blocks: up to 64 records as lines of JSON text, zstd, each padded to whole
 * `BLOCK_ALIGNMENT` bytes, so that the meta needs about half a byte for each. 2. Term groups, see `term-group.ts`. A
 * group is some dictionary blocks with the postings of their terms: what one read of a query takes. Groups of a field
 * stand together, so that neighbouring ones come with one read; the positions of their terms stand before them. Terms
 * are ordered by field, then by UTF-16 code units. 3. Number columns, see `numbers.ts`. 4. Sets of the records that
 * have a value, one per path.
 *
 * Meta object, `{id}.meta`: the places of all these parts, and the first term of every group. It is small beside the
 * data, about 25 bytes for a thousand, because a query that has nothing cached reads it whole.
 */
export const FORMAT_VERSION = 2;

/** The compression of blocks. It is stored in the meta, because a later version may use another one. */
export const CODEC_ZSTD = 1;

/** Records of a block of the record store. */
export const RECORDS_PER_BLOCK = 64;

/** Record blocks begin at multiples of this. */
export const BLOCK_ALIGNMENT = 256;

/**
 * Field that holds every record id as it is, case kept, so that a replaced record is found exactly. No schema path can
 * have this name.
 */
export const ID_FIELD = '#id';

/** The hidden field of whole titles: the words of each with spaces between, as one term. */
export const titlesOf = (path: string): string => `#${path}`;

/** The hidden field of pairs: two frequent words of a text field that follow one another, with a space between. */
export const pairsOf = (path: string): string => `+${path}`;

export const dataKey = (segmentId: string): string => `${segmentId}.seg`;
export const metaKey = (segmentId: string): string => `${segmentId}.meta`;
export const tombstonesKey = (tombstonesId: string): string => `${tombstonesId}.tomb`;

/** A range of bytes in the data object. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** An object of the index is unusable: cut short, damaged, of another format, or of another segment. */
export class UnreadableSegment extends Error {
  override readonly name = 'UnreadableSegment';
}

/** Reads the objects of segments. */
export interface SegmentStorage {
  read(key: string, offset: number, length: number): Promise<Uint8Array>;
  readWhole(key: string): Promise<Uint8Array>;
}

/** Takes a data object in order. The sink may keep the chunks. */
export interface SegmentSink {
  write(chunk: Uint8Array): Promise<void>;
}
