/**
 * Makes the stack traces of a bundle name its sources. `--enable-source-maps` does the same, but reads all of the code
 * and its map whenever a function starts; this reads a map when a trace through its file is first read.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The maps that were read, by the address of the file that each describes; undefined for a file without one. */
const maps = new Map<string, SourceMap | undefined>();

Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map(withSource)].join('\n    at ');

function withSource(frame: NodeJS.CallSite): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- V8's frames have a text of their own
  const text = String(frame);
  const file = frame.getFileName();
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const origin = mapOf(file)?.findEntry(line - 1, column - 1);
  if (!origin || !('originalSource' in origin)) return text;
  const source = fileURLToPath(new URL(origin.originalSource, file));
  return text.replace(`${file}:${line}:${column}`, `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`);
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** A trace must be printed even where its map is missing or broken. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}

/** `name: message`, as V8 writes it, whatever the class of the error makes of `toString`. */
function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
