import { BACKSLASH, BRACE, BRACE_END, COMMA, isBlank, LIST, LIST_END, QUOTE } from './json-bytes.ts';

/** Brackets are matched down to this depth. Deeper levels are only counted. */
const MATCHED_LEVELS = 1_024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Finds the end of a JSON value in a stream, and keeps its text if it is short enough. */
export class JsonValue {
  /** True if the value has been read completely. */
  ended = false;
  private readonly isScalar: boolean;
  private readonly keptBytes: number;
  /** The closing brackets that are expected, by level. */
  private readonly due: number[] = [];
  private depth = 0;
  private inText = false;
  private escaped = false;
  private bytes = 0;
  private chunks: Uint8Array[] = [];

  /** @param first the first byte of the value, which is then read with the others */
  constructor(first: number, keptBytes: number) {
    this.isScalar = first !== BRACE && first !== LIST && first !== QUOTE;
    this.keptBytes = keptBytes;
  }

  /** Continues at `from`. Returns the index after the value, or after the chunk if the value continues. */
  read(chunk: Uint8Array, from: number): number | 'broken' {
    const end = this.isScalar ? this.scalarEnd(chunk, from) : this.end(chunk, from);
    if (end === 'broken') return end;
    this.bytes += end - from;
    if (this.bytes > this.keptBytes) this.chunks = [];
    else this.chunks.push(chunk.subarray(from, end));
    return end;
  }

  /** The text of the value after its end. */
  content(): { text: string; fault?: string } {
    if (this.bytes > this.keptBytes) return { text: '', fault: 'it is longer than 4 MiB' };
    const [first] = this.chunks;
    const bytes = this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks);
    try {
      return { text: decoder.decode(bytes) };
    } catch {
      return { text: '', fault: 'it is not UTF-8 text' };
    }
  }

  /** A value without brackets ends before the next separator. */
  private scalarEnd(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      this.ended = byte === COMMA || byte === LIST_END || byte === BRACE_END || isBlank(byte);
      if (this.ended) return at;
    }
    return chunk.length;
  }

  private end(chunk: Uint8Array, from: number): number | 'broken' {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.inText) {
        if (this.escaped) this.escaped = false;
        else if (byte === BACKSLASH) this.escaped = true;
        else if (byte === QUOTE) this.inText = false;
        else continue;
      } else if (byte === QUOTE) this.inText = true;
      else if (byte === BRACE) this.open(BRACE_END);
      else if (byte === LIST) this.open(LIST_END);
      else if (byte === BRACE_END || byte === LIST_END) {
        if (!this.close(byte)) return 'broken';
      } else continue;
      if (this.depth > 0 || this.inText) continue;
      this.ended = true;
      return at + 1;
    }
    return chunk.length;
  }

  private open(due: number): void {
    if (this.depth < MATCHED_LEVELS) this.due[this.depth] = due;
    this.depth += 1;
  }

  private close(byte: number): boolean {
    this.depth -= 1;
    return this.depth >= MATCHED_LEVELS || this.due[this.depth] === byte;
  }
}
