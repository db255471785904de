/**
 * The layout of a segment, version 1.
 *
 * Data object, `{id}.seg`: 1. Record blocks: up to 64 records as lines of JSON text, zstd. 2. Term groups. A group is
 * some dictionary blocks, then the postings of their terms, then the positions of their terms. Groups are small enough
 * that a dictionary block and its postings usually come with one read, and let a writer of any size of segment hold one
 * group in memory. Terms are ordered by field, then by UTF-16 code units. 3. Number columns: per field the sorted
 * values and beside them the ordinals of their records, see `numbers.ts`. 4. Sets of the records that have a value, one
 * per path.
 *
 * Meta object, `{id}.meta`: the places of all these parts, and the first term of every dictionary block.
 */
export const FORMAT_VERSION = 1;

/** The compression of blocks. It is stored in the meta, because a later version may use another one. */
export const CODEC_ZSTD = 1;

/** Records of a block of the record store. */
export const RECORDS_PER_BLOCK = 64;

/**
 * Field that holds every record id as it is, case kept, so that a replaced record is found exactly. No schema path can
 * have this name.
 */
export const ID_FIELD = '#id';

/** The hidden field of whole titles: the words of each with spaces between, as one term. */
export const titlesOf = (path: string): string => `#${path}`;

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
