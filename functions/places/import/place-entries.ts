import { entriesOf, type FileReading } from '#shared/import/rows/entries';
import type { Entry, Outcome } from '#shared/import/rows/entry';
import type { LinePosition } from '#shared/import/rows/lines';
import { UnreadableFile } from '#shared/import/rows/unreadable-file';
import { type Feature, featuresOf } from './features.ts';
import type { ImportedPlace } from './place-fields.ts';
import { type PlaceReader, placeReader } from './place-reader.ts';

interface PlaceFile {
  readonly file: FileReading;
  /** The text of the import map, if there is one. */
  readonly map: string | undefined;
  /** Takes the member names of each JSON object or Feature, before they are mapped. */
  readonly onNames?: (names: readonly string[]) => void;
}

/**
 * Reads the places of a file: `.geojson` and `.geojson.gz` are GeoJSON, `.csv` and `.csv.gz` are CSV, all others have
 * one JSON object per line. If the file cannot be read to its end, everything before is still imported.
 */
export async function* placeEntries(
  chunks: AsyncIterable<Uint8Array>,
  { file, map, onNames }: PlaceFile,
): AsyncGenerator<Entry<ImportedPlace>> {
  try {
    const reader = placeReader(map, onNames);
    if (/\.geojson(\.gz)?$/i.test(file.name)) yield* featureEntries(chunks, file.checkpoint, reader);
    else yield* entriesOf(chunks, { file, reader });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    yield { kind: 'unreadable', reason: error.message };
  }
}

async function* featureEntries(
  chunks: AsyncIterable<Uint8Array>,
  checkpoint: LinePosition,
  reader: PlaceReader,
): AsyncGenerator<Entry<ImportedPlace>> {
  for await (const feature of featuresOf(chunks, checkpoint)) {
    const { line, end, number } = feature;
    const outcome = outcomeOf(feature, reader);
    if (outcome.kind !== 'rejected') yield { line, end, ...outcome };
    else {
      const source = feature.text === '' ? {} : { source: { text: feature.text } };
      yield { line, end, kind: 'rejected', reason: `feature ${number}: ${outcome.reason}`, ...source };
    }
  }
}

function outcomeOf({ text, fault }: Feature, reader: PlaceReader): Outcome<ImportedPlace> {
  if (fault !== undefined) return { kind: 'rejected', reason: fault };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'rejected', reason: 'it is not valid JSON' };
  }
  return reader.fromFeature(value);
}
