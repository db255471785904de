import { csvHeader, csvRows } from '../schemas/csv.ts';
import type { DataRecord } from '../schemas/schema.ts';
import { projectJson, type View } from '../schemas/view.ts';
import type { RecordLines } from '../segments/query/segment-search.ts';

/** Bytes are handed on once so many have come together: one record may become thousands of rows. */
const CHUNK_BYTES = 1 << 20;

/** No UTF-16 code unit takes more bytes in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The bytes of a file: JSON lines, or CSV with its header line, of the records as the view shows them. */
export async function* fileBytes(
  lines: AsyncIterable<RecordLines>,
  view: View,
  format: 'json' | 'csv',
): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield encoder.encode(`${csvHeader(view)}\n`);
  for await (const { bytes } of lines) {
    // Stored records have the order of the full view.
    if (format === 'json' && view.keepsAll) yield bytes;
    else yield* projected(bytes, format === 'csv' ? csvOf(view) : jsonOf(view));
  }
}

/** Encodes record by record: to encode a text that was put together from many pieces takes twice as long. */
function* projected(bytes: Uint8Array, textOf: (record: DataRecord) => string): Generator<Uint8Array> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  for (const line of decoder.decode(bytes).split('\n')) {
    if (line === '') continue;
    const text = textOf(JSON.parse(line) as DataRecord);
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

const jsonOf = (view: View) => (record: DataRecord) => `${JSON.stringify(projectJson(record, view))}\n`;

const csvOf = (view: View) => (record: DataRecord) => {
  let text = '';
  for (const row of csvRows(record, view)) text += `${row}\n`;
  return text;
};
