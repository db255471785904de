import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter } from './bytes.ts';
import { compress, decompress } from './compression.ts';
import { CODEC_ZSTD, FORMAT_VERSION, UnreadableSegment } from './format.ts';
import type { FieldMeta, MetaDraft, NumbersMeta, RecordBlocks, SegmentMeta, TermBlocks, TermGroup } from './meta.ts';

const MAGIC = [0x64, 0x73, 0x65, 0x67];
const HEADER_BYTES = 12;
const KINDS = ['text', 'keyword', 'date', 'number', 'boolean', 'object'] as const;

/** Header: magic, format version, codec, two reserved bytes, checksum of what follows. */
export function encodeMeta(draft: MetaDraft): Uint8Array {
  const body = compress(encodeBody(draft));
  const meta = new Uint8Array(HEADER_BYTES + body.length);
  meta.set([...MAGIC, FORMAT_VERSION, CODEC_ZSTD]);
  new DataView(meta.buffer).setUint32(8, crc32(body), true);
  meta.set(body, HEADER_BYTES);
  return meta;
}

/** @param segmentId names the segment when its meta cannot be read. */
export function decodeMeta(meta: Uint8Array, segmentId: string): SegmentMeta {
  const refuse = (why: string) => new UnreadableSegment(`the meta of segment ${segmentId} ${why}`);
  if (meta.length < HEADER_BYTES) throw refuse('is cut short');
  if (MAGIC.some((byte, i) => meta[i] !== byte)) throw refuse('has the wrong magic bytes');
  if (meta[4] !== FORMAT_VERSION) throw refuse(`has format version ${meta[4]}; this reads ${FORMAT_VERSION}`);
  if (meta[5] !== CODEC_ZSTD) throw refuse(`uses codec ${meta[5]}, which is unknown`);
  const body = meta.subarray(HEADER_BYTES);
  const checksum = new DataView(meta.buffer, meta.byteOffset).getUint32(8, true);
  if (crc32(body) !== checksum) throw refuse('is damaged or cut short');
  return decodeBody(decompress(body, `the meta of segment ${segmentId}`));
}

function encodeBody(draft: MetaDraft): Uint8Array {
  const out = new ByteWriter();
  out.varint(draft.records);
  out.varint(draft.bytes);
  out.varint(draft.recordBlocks.length);
  for (const block of draft.recordBlocks) out.varint(block.records);
  for (const block of draft.recordBlocks) out.varint(block.length);
  out.varint(draft.groups.length);
  for (const group of draft.groups) {
    out.varint(group.blocks);
    out.varint(group.offset);
  }
  out.varint(draft.termBlocks.length);
  for (const block of draft.termBlocks) out.varint(block.separator.length);
  for (const block of draft.termBlocks) out.raw(block.separator);
  for (const block of draft.termBlocks) out.varint(block.dictionary);
  for (const block of draft.termBlocks) out.varint(block.postings);
  for (const block of draft.termBlocks) out.varint(block.positions);
  out.varint(draft.fields.length);
  for (const field of draft.fields) encodeField(field, out);
  return out.view();
}

function encodeField(field: FieldMeta & { readonly path: string }, out: ByteWriter): void {
  const path = new TextEncoder().encode(field.path);
  out.varint(path.length);
  out.raw(path);
  out.byte(KINDS.indexOf(field.kind));
  out.varint(field.firstBlock);
  out.varint(field.endBlock - field.firstBlock);
  out.varint(field.exists?.count ?? 0);
  if (field.exists) {
    out.varint(field.exists.offset);
    out.varint(field.exists.length);
  }
  out.varint(field.numbers?.entries ?? 0);
  if (field.numbers) {
    out.varint(field.numbers.offset);
    out.byte(field.numbers.single ? 1 : 0);
    out.varint(field.numbers.sparse.length);
    for (const value of field.numbers.sparse) out.float64(value);
  }
}

function decodeBody(bytes: Uint8Array): SegmentMeta {
  const body = new ByteReader(bytes);
  const records = body.varint();
  const dataBytes = body.varint();
  const recordBlocks = decodeRecordBlocks(body);
  const termBlocks = decodeTermBlocks(body);
  const fields = new Map<string, FieldMeta>();
  for (let left = body.varint(); left > 0; left--) {
    const path = new TextDecoder().decode(body.raw(body.varint()));
    fields.set(path, decodeField(body));
  }
  // Tables of doubles for varints of one to three bytes: about six times the bytes.
  return { records, bytes: dataBytes, recordBlocks, termBlocks, fields, byteLength: bytes.length * 6 };
}

function decodeRecordBlocks(body: ByteReader): RecordBlocks {
  const count = body.varint();
  const firsts = new Uint32Array(count + 1);
  const offsets = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) firsts[i + 1] = firsts[i]! + body.varint();
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + body.varint();
  return { firsts, offsets };
}

function decodeTermBlocks(body: ByteReader): TermBlocks {
  const heads = Array.from({ length: body.varint() }, () => ({ blocks: body.varint(), offset: body.varint() }));
  const count = body.varint();
  const separatorEnds = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) separatorEnds[i + 1] = separatorEnds[i]! + body.varint();
  const separators = body.raw(separatorEnds[count]!);
  const lengths = [0, 1, 2].map(() => Uint32Array.from({ length: count }, () => body.varint()));
  const offsets = [0, 1, 2].map(() => new Float64Array(count));
  const groups: TermGroup[] = [];
  let first = 0;
  for (const group of heads) {
    let at = group.offset;
    // A group is all its dictionary blocks, then all their postings, then all their positions.
    for (let part = 0; part < 3; part++) {
      for (let block = first; block < first + group.blocks; block++) {
        offsets[part]![block] = at;
        at += lengths[part]![block]!;
      }
    }
    groups.push({
      firstBlock: first,
      endBlock: first + group.blocks,
      offset: group.offset,
      length: at - group.offset,
    });
    first += group.blocks;
  }
  const extent = (part: number) => (block: number) => ({
    offset: offsets[part]![block]!,
    length: lengths[part]![block]!,
  });
  return {
    count,
    groups,
    separator: (block) => separators.subarray(separatorEnds[block], separatorEnds[block + 1]),
    dictionary: extent(0),
    postings: extent(1),
    positions: extent(2),
  };
}

function decodeField(body: ByteReader): FieldMeta {
  const kind = KINDS[body.raw(1)[0]!];
  if (kind === undefined) throw new UnreadableSegment('a field is of an unknown kind');
  const firstBlock = body.varint();
  const endBlock = firstBlock + body.varint();
  const count = body.varint();
  const exists = count === 0 ? undefined : { count, offset: body.varint(), length: body.varint() };
  const entries = body.varint();
  const numbers = entries === 0 ? undefined : decodeNumbers(body, entries);
  return { kind, firstBlock, endBlock, exists, numbers };
}

function decodeNumbers(body: ByteReader, entries: number): NumbersMeta {
  const offset = body.varint();
  const single = body.raw(1)[0] === 1;
  const sparse = Float64Array.from({ length: body.varint() }, () => body.float64());
  return { offset, entries, single, sparse };
}
