import { type LinePosition, MAX_LINE_BYTES } from '#shared/import/rows/lines';
import { UnreadableFile } from '#shared/import/rows/unreadable-file';
import { BRACE, BRACE_END, COLON, COMMA, CR, isBlank, LF, LIST, LIST_END, QUOTE } from './json-bytes.ts';
import { JsonValue } from './json-value.ts';

/** An element of the list `features`. If it is too long or cannot be decoded, it keeps its position but has no text. */
export interface Feature {
  /** Elements are counted from 1. */
  readonly number: number;
  /** The line on which the element starts. */
  readonly line: number;
  /** The position after the element, where reading can resume. */
  readonly end: LinePosition;
  readonly text: string;
  /** The reason why there is no text. */
  readonly fault?: string;
}

/** The context of the next byte. */
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

/** `features` takes fewer bytes even if every character is escaped. */
const NAME_BYTES = 64;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

interface Step {
  /** The description of what was expected, for the error. */
  readonly expected: string;
  /** The next state for each byte outside values. */
  readonly after?: Readonly<Record<number, State>>;
  /** The state after a value, and how many bytes of the value are kept. */
  readonly value?: { readonly next: State; readonly keptBytes: number };
}

const NAME = {
  expected: 'the name of a member is missing',
  value: { next: 'colon', keptBytes: NAME_BYTES },
} satisfies Step;
const FEATURE = { next: 'after feature', keptBytes: MAX_LINE_BYTES } as const;

const STEPS: Readonly<Record<State, Step>> = {
  start: { expected: 'a { is missing', after: { [BRACE]: 'first name' } },
  'first name': { ...NAME, after: { [BRACE_END]: 'end' } },
  name: NAME,
  colon: { expected: 'a colon is missing', after: { [COLON]: 'value' } },
  value: { expected: 'a value is missing', value: { next: 'after value', keptBytes: 0 } },
  'after value': { expected: 'a comma or } is missing', after: { [COMMA]: 'name', [BRACE_END]: 'end' } },
  'first feature': { expected: 'a feature or ] is missing', after: { [LIST_END]: 'after value' }, value: FEATURE },
  feature: { expected: 'a feature is missing', value: FEATURE },
  'after feature': { expected: 'a comma or ] is missing', after: { [COMMA]: 'feature', [LIST_END]: 'after value' } },
  end: { expected: 'there is text after the end' },
};

/**
 * Reads the features of a GeoJSON FeatureCollection from a stream that starts at `from`. `features` may come anywhere
 * among the other members. Memory stays below twice the longest feature allowed, whatever the stream contains. The
 * inside of a feature is not checked, except that its brackets match.
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
  /** The current name, feature or other value. */
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
        // This byte starts a value.
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
    if (this.state !== 'end') throw new UnreadableFile(`The file ends early, ${this.soFar()}.`);
    if (!this.hasFeatures)
      throw new UnreadableFile('The file has no list "features": a .geojson file contains a FeatureCollection.');
  }

  /** Counts bytes and line ends: LF, CRLF or CR. */
  private pass(chunk: Uint8Array, from: number, to: number): void {
    this.byte += to - from;
    for (let at = from; at < to; at++) {
      const byte = chunk[at];
      if (byte === CR || (byte === LF && !this.endedWithCr)) this.line += 1;
      this.endedWithCr = byte === CR;
    }
  }

  /** Handles one byte between values. */
  private step(byte: number): void {
    if (isBlank(byte)) return;
    const { state } = this;
    if (state === 'start' && byte === BYTE_ORDER_MARK[this.byte]) return;
    const next = STEPS[state].after?.[byte] ?? this.begin(state, byte);
    if (next === undefined) throw this.broken(STEPS[state].expected);
    this.state = next;
  }

  private beginFeatures(byte: number): State {
    if (byte !== LIST) throw this.broken('"features" is not a list');
    if (this.hasFeatures) throw this.broken('the member "features" appears twice');
    this.hasFeatures = true;
    return 'first feature';
  }

  /** Starts the value that this byte belongs to; undefined if none may start here. */
  private begin(state: State, byte: number): State | undefined {
    if (state === 'value' && this.isFeatures) return this.beginFeatures(byte);
    const { value } = STEPS[state];
    const isText = byte === QUOTE;
    if (!value || isPunctuation(byte) || (value.next === 'colon' && !isText)) return undefined;
    this.value = new JsonValue(byte, value.keptBytes);
    this.valueLine = this.line + 1;
    return value.next;
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
    return new UnreadableFile(`The file is not a GeoJSON FeatureCollection: line ${line}, ${this.soFar()}: ${what}.`);
  }

  private soFar(): string {
    return `after ${this.features} ${this.features === 1 ? 'feature' : 'features'}`;
  }
}

const isPunctuation = (byte: number): boolean =>
  byte === COMMA || byte === COLON || byte === BRACE_END || byte === LIST_END;

function isNamed(name: JsonValue, expected: string): boolean {
  try {
    return JSON.parse(name.content().text) === expected;
  } catch {
    return false;
  }
}
