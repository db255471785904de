import { type LinePosition, MAX_LINE_BYTES } from '#shared/import/rows/lines';
import { UnreadableFile } from '#shared/import/rows/unreadable-file';
import { BRACE, BRACE_END, COLON, COMMA, CR, isBlank, LF, LIST, LIST_END, QUOTE } from './json-bytes.ts';
import { JsonValue } from './json-value.ts';

/** An element of the list `features`. One that is too long or not decodable keeps its place but loses its text. */
export interface Feature {
  /** Counted from 1. */
  readonly number: number;
  /** The line on which it begins. */
  readonly line: number;
  /** The position after it, from which reading can resume. */
  readonly end: LinePosition;
  readonly text: string;
  /** Why there is no text. */
  readonly fault?: string;
}

/** Where the next byte stands. */
type State =
  | 'start'
  | 'first name'
  | 'name'
  | 'colon'
  | 'value'
  | 'after value'
  | 'first feature'
  | 'feature'
  | 'after feature'
  | 'end';

const EXPECTED: Readonly<Record<State, string>> = {
  start: 'a { is missing',
  'first name': 'the name of a member is missing',
  name: 'the name of a member is missing',
  colon: 'a colon is missing',
  value: 'a value is missing',
  'after value': 'a comma or } is missing',
  'first feature': 'a feature or ] is missing',
  feature: 'a feature is missing',
  'after feature': 'a comma or ] is missing',
  end: 'text follows the end',
};

/** `features` has fewer bytes even when all of it is written in escapes. */
const NAME_BYTES = 64;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * The features of a GeoJSON FeatureCollection from a stream of bytes that starts at `from`. The member `features` may
 * stand anywhere among the others. Memory stays below twice the longest feature allowed, whatever the stream holds. What
 * is inside a feature is not looked at, except that its brackets match.
 */
export async function* featuresOf(
  chunks: AsyncIterable<Uint8Array>,
  from: LinePosition = { byte: 0, line: 0 },
): AsyncGenerator<Feature> {
  const reader = new FeatureReader(from);
  for await (const chunk of chunks) yield* reader.read(chunk);
  reader.finish();
}

class FeatureReader {
  private state: State;
  private features: number;
  private byte: number;
  private line: number;
  private endedWithCr = false;
  private hasFeatures: boolean;
  private isFeatures = false;
  /** The name, feature or other value that has begun. */
  private value: JsonValue | undefined;
  private valueLine = 0;

  constructor({ byte, line, elements }: LinePosition) {
    this.byte = byte;
    this.line = line;
    this.features = elements ?? 0;
    this.hasFeatures = elements !== undefined;
    this.state = this.hasFeatures ? 'after feature' : 'start';
  }

  *read(chunk: Uint8Array): Generator<Feature> {
    let at = 0;
    while (at < chunk.length) {
      const { value } = this;
      if (!value) {
        this.step(chunk[at]!);
        // A value begins with this byte.
        if (this.value) continue;
        this.pass(chunk, at, at + 1);
        at += 1;
        continue;
      }
      const end = value.read(chunk, at);
      if (end === 'broken') throw this.broken('brackets do not match', this.valueLine);
      this.pass(chunk, at, end);
      at = end;
      if (!value.ended) break;
      this.value = undefined;
      const feature = this.endOf(value);
      if (feature) yield feature;
    }
  }

  finish(): void {
    if (this.state !== 'end') throw new UnreadableFile(`The file ends early, after ${this.features} features.`);
    if (!this.hasFeatures)
      throw new UnreadableFile('The file has no list "features": a .geojson file holds a FeatureCollection.');
  }

  /** Counts bytes and the ends of lines: LF, CRLF or CR. */
  private pass(chunk: Uint8Array, from: number, to: number): void {
    this.byte += to - from;
    for (let at = from; at < to; at++) {
      const byte = chunk[at];
      if (byte === CR || (byte === LF && !this.endedWithCr)) this.line += 1;
      this.endedWithCr = byte === CR;
    }
  }

  /** Takes one byte between values. */
  private step(byte: number): void {
    if (isBlank(byte)) return;
    const { state } = this;
    if (state === 'start' && byte === BYTE_ORDER_MARK[this.byte]) return;
    const next = this.after(state, byte);
    if (next === undefined) throw this.broken(EXPECTED[state]);
    this.state = next;
  }

  /** The state after a byte; undefined where it does not belong. */
  private after(state: State, byte: number): State | undefined {
    switch (state) {
      case 'start':
        return byte === BRACE ? 'first name' : undefined;
      case 'first name':
      case 'name':
        if (byte === BRACE_END && state === 'first name') return 'end';
        return byte === QUOTE ? this.begin('colon', byte, NAME_BYTES) : undefined;
      case 'colon':
        return byte === COLON ? 'value' : undefined;
      case 'value':
        return this.isFeatures ? this.beginFeatures(byte) : this.begin('after value', byte, 0);
      case 'after value':
        return byte === COMMA ? 'name' : byte === BRACE_END ? 'end' : undefined;
      case 'first feature':
      case 'feature':
        if (byte === LIST_END && state === 'first feature') return 'after value';
        return this.begin('after feature', byte, MAX_LINE_BYTES);
      case 'after feature':
        return byte === COMMA ? 'feature' : byte === LIST_END ? 'after value' : undefined;
      case 'end':
        return undefined;
    }
  }

  private beginFeatures(byte: number): State {
    if (byte !== LIST) throw this.broken('"features" is not a list');
    if (this.hasFeatures) throw this.broken('there is a second member "features"');
    this.hasFeatures = true;
    return 'first feature';
  }

  /** Begins a value, of which so many bytes are kept. */
  private begin(next: State, byte: number, keptBytes: number): State | undefined {
    if (byte === COMMA || byte === COLON || byte === BRACE_END || byte === LIST_END) return undefined;
    this.value = new JsonValue(byte, keptBytes);
    this.valueLine = this.line + 1;
    return next;
  }

  /** The feature, if the value is one. */
  private endOf(value: JsonValue): Feature | undefined {
    if (this.state === 'colon') {
      this.isFeatures = isNamed(value, 'features');
      return undefined;
    }
    if (this.state !== 'after feature') return undefined;
    this.features += 1;
    const end = { byte: this.byte, line: this.line, elements: this.features };
    return { number: this.features, line: this.valueLine, end, ...value.content() };
  }

  private broken(what: string, line = this.line + 1): UnreadableFile {
    const at = `line ${line}, after ${this.features} features`;
    return new UnreadableFile(`The file is no GeoJSON FeatureCollection: ${at}: ${what}.`);
  }
}

function isNamed(name: JsonValue, wanted: string): boolean {
  try {
    return JSON.parse(name.content().text) === wanted;
  } catch {
    return false;
  }
}
