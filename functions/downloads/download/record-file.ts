import { csvHeader, csvRows } from '../records/csv.ts';
import type { DataRecord } from '../records/schema.ts';
import { projectJson, type View } from '../records/view.ts';
import type { RecordLines } from '../search-engine.ts';

/** Text is handed on once so many characters have come together: one record may become thousands of rows. */
const CHUNK_CHARACTERS = 1 << 20;

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

function* projected(bytes: Uint8Array, textOf: (record: DataRecord) => string): Generator<Uint8Array> {
  let text = '';
  for (const line of decoder.decode(bytes).split('\n')) {
    if (line === '') continue;
    text += textOf(JSON.parse(line) as DataRecord);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}

const jsonOf = (view: View) => (record: DataRecord) => `${JSON.stringify(projectJson(record, view))}\n`;

const csvOf = (view: View) => (record: DataRecord) => {
  let text = '';
  for (const row of csvRows(record, view)) text += `${row}\n`;
  return text;
};
