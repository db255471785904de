import type { CsvFormulas } from '#shared/formats/csv-formulas';
import { csvHeader, csvRows } from '../schemas/csv.ts';
import { type CutMembers, memberCutter } from '../schemas/cut-members.ts';
import type { DataRecord } from '../schemas/schema.ts';
import type { View } from '../schemas/view.ts';
import type { RecordLines } from '../segments/query/segment-search.ts';
import type { DownloadRequest } from './download-request.ts';

/** Bytes are passed on in chunks of this size: one record may become thousands of rows. */
const CHUNK_BYTES = 1 << 20;

const LINE_FEED = 10;

/** The most bytes of a UTF-16 code unit in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The bytes of a file: JSON lines, or CSV with its header line, of the records in the view. */
export async function* fileBytes(
  lines: AsyncIterable<RecordLines>,
  view: View,
  { format, csvFormulas }: Pick<DownloadRequest, 'format' | 'csvFormulas'>,
): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield encoder.encode(`${csvHeader(view)}\n`);
  // Stored records are in the order of the full view, which every view follows.
  const cut = memberCutter([...view.fields, 'id']);
  for await (const { bytes } of lines) {
    if (format === 'csv') yield* rowsOf(bytes, view, csvFormulas);
    else if (view.keepsAll) yield bytes;
    else yield* cutLines(bytes, cut);
  }
}

/** The chosen members of every line. */
function* cutLines(lines: Uint8Array, cut: CutMembers): Generator<Uint8Array> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    const most = end + 1 - start;
    if (chunk.length - used < most) {
      if (used > 0) yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, most));
      used = 0;
    }
    used = cut({ bytes, start, end }, chunk, used);
    start = end + 1;
  }
  if (used > 0) yield chunk.subarray(0, used);
}

/** Encodes record by record: encoding a text that was concatenated from many pieces takes twice as long. */
function* rowsOf(bytes: Uint8Array, view: View, formulas: CsvFormulas): Generator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (const line of decoder.decode(bytes).split('\n')) {
    if (line === '') continue;
    let text = '';
    for (const row of csvRows(JSON.parse(line) as DataRecord, view, formulas)) text += `${row}\n`;
    const most = text.length * MOST_BYTES_PER_UNIT;
    if (chunk.length - used < most) {
      if (used > 0) yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      used = 0;
    }
    if (most <= chunk.length) used += chunk.write(text, used);
    else yield encoder.encode(text);
  }
  if (used > 0) yield chunk.subarray(0, used);
}
