import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter } from './bytes.ts';
import { compress, decompress } from './compression.ts';
import { BLOCK_ALIGNMENT, CODEC_ZSTD, FORMAT_VERSION, UnreadableSegment } from './format.ts';
import type { FieldMeta, MetaDraft, NumbersMeta, RecordBlocks, SegmentMeta, TermGroups } from './meta.ts';
import { termBytes, termText } from './term-bytes.ts';

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
  for (const block of draft.recordBlocks) out.varint(block.length / BLOCK_ALIGNMENT);
  encodeGroups(draft.groups, out);
  out.varint(draft.fields.length);
  for (const field of draft.fields) encodeField(field, out);
  return out.view();
}

/** Numbers of one kind stand together, because they compress better. Most groups begin where the one before ends. */
function encodeGroups(groups: MetaDraft['groups'], out: ByteWriter): void {
  out.varint(groups.length);
  for (const group of groups) out.varint(group.separator.length);
  for (const group of groups) out.raw(group.separator);
  for (const group of groups) out.varint(group.dictionary);
  for (const group of groups) out.varint(group.postings);
  for (const group of groups) out.varint(group.positions.length);
  let end = 0;
  for (const group of groups) {
    out.varint(group.offset - end);
    end = group.offset + group.dictionary + group.postings;
  }
  end = 0;
  for (const { positions } of groups) {
    out.varint(positions.length === 0 ? 0 : positions.offset - end);
    if (positions.length > 0) end = positions.offset + positions.length;
  }
}

function encodeField(field: FieldMeta & { readonly path: string }, out: ByteWriter): void {
  encodeText(new TextEncoder().encode(field.path), out);
  out.byte(KINDS.indexOf(field.kind));
  out.varint(field.firstGroup);
  out.varint(field.endGroup - field.firstGroup);
  out.varint(field.exists?.count ?? 0);
  if (field.exists) {
    out.varint(field.exists.offset);
    out.varint(field.exists.length);
  }
  out.varint(field.numbers?.entries ?? 0);
  if (field.numbers) encodeNumbers(field.numbers, out);
  out.varint(field.frequentWords?.size ?? 0);
  for (const word of field.frequentWords ?? []) encodeText(termBytes(word), out);
}

function encodeNumbers({ single, firsts, ordinals, values }: NumbersMeta, out: ByteWriter): void {
  out.byte(single ? 1 : 0);
  out.varint(firsts.length);
  for (const value of firsts) out.float64(value);
  for (const offsets of [ordinals, values]) {
    let end = 0;
    for (const offset of offsets) {
      out.varint(offset - end);
      end = offset;
    }
  }
}

function encodeText(bytes: Uint8Array, out: ByteWriter): void {
  out.varint(bytes.length);
  out.raw(bytes);
}

function decodeBody(bytes: Uint8Array): SegmentMeta {
  const body = new ByteReader(bytes);
  const records = body.varint();
  const dataBytes = body.varint();
  const recordBlocks = decodeRecordBlocks(body);
  const groups = decodeGroups(body);
  const fields = new Map<string, FieldMeta>();
  for (let left = body.varint(); left > 0; left--) {
    const path = new TextDecoder().decode(body.raw(body.varint()));
    fields.set(path, decodeField(body));
  }
  // Tables of doubles for varints of one to three bytes: about six times the bytes.
  return { records, bytes: dataBytes, recordBlocks, groups, fields, byteLength: bytes.length * 6 };
}

function decodeRecordBlocks(body: ByteReader): RecordBlocks {
  const count = body.varint();
  const firsts = new Uint32Array(count + 1);
  const offsets = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) firsts[i + 1] = firsts[i]! + body.varint();
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i]! + body.varint() * BLOCK_ALIGNMENT;
  return { firsts, offsets };
}

function decodeGroups(body: ByteReader): TermGroups {
  const count = body.varint();
  const separatorEnds = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) separatorEnds[i + 1] = separatorEnds[i]! + body.varint();
  const separators = body.raw(separatorEnds[count]!);
  const lengthsOf = () => Uint32Array.from({ length: count }, () => body.varint());
  const [dictionary, postings, positions] = [lengthsOf(), lengthsOf(), lengthsOf()];
  const offsets = new Float64Array(count);
  let end = 0;
  for (let i = 0; i < count; i++) {
    offsets[i] = end + body.varint();
    end = offsets[i]! + dictionary[i]! + postings[i]!;
  }
  const positionsOffsets = new Float64Array(count);
  end = 0;
  for (let i = 0; i < count; i++) {
    positionsOffsets[i] = end + body.varint();
    end = positionsOffsets[i]! + positions[i]!;
  }
  return {
    count,
    separator: (group) => separators.subarray(separatorEnds[group], separatorEnds[group + 1]),
    dictionary: (group) => ({ offset: offsets[group]!, length: dictionary[group]! }),
    postings: (group) => ({ offset: offsets[group]! + dictionary[group]!, length: postings[group]! }),
    positions: (group) => ({ offset: positionsOffsets[group]!, length: positions[group]! }),
  };
}

function decodeField(body: ByteReader): FieldMeta {
  const kind = KINDS[body.raw(1)[0]!];
  if (kind === undefined) throw new UnreadableSegment('a field is of an unknown kind');
  const firstGroup = body.varint();
  const endGroup = firstGroup + body.varint();
  const count = body.varint();
  const exists = count === 0 ? undefined : { count, offset: body.varint(), length: body.varint() };
  const entries = body.varint();
  const numbers = entries === 0 ? undefined : decodeNumbers(body, entries);
  const words = Array.from({ length: body.varint() }, () => termText(body.raw(body.varint())));
  return { kind, firstGroup, endGroup, exists, numbers, ...(words.length > 0 && { frequentWords: new Set(words) }) };
}

function decodeNumbers(body: ByteReader, entries: number): NumbersMeta {
  const single = body.raw(1)[0] === 1;
  const firsts = Float64Array.from({ length: body.varint() }, () => body.float64());
  const offsetsOf = () => {
    let end = 0;
    return Float64Array.from({ length: firsts.length + 1 }, () => {
      end += body.varint();
      return end;
    });
  };
  return { entries, single, firsts, ordinals: offsetsOf(), values: offsetsOf() };
}
