import type { GzipMember } from '../gzip-members.ts';

/**
 * One line of a file, without its end. If it is too long or cannot be decoded, it keeps its position but has no text.
 */
export interface Line {
  /** Lines are counted from 1. */
  readonly number: number;
  /** The byte offsets of the line and of the next one in the file. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The reason why there is no text. */
  readonly fault?: 'too-long' | 'not-utf-8';
}

/** A position between two lines, or between two elements of a file that has no lines. */
export interface LinePosition {
  readonly byte: number;
  /** The number of lines before it. */
  readonly line: number;
  /** The number of elements before it, in a file of elements. */
  readonly elements?: number | undefined;
  /** A member of a gzip file that begins at or before it. Without one, the file is decompressed from its start. */
  readonly member?: GzipMember | undefined;
}

export const FILE_START: LinePosition = { byte: 0, line: 0 };

/** The maximum length of a line. No item needs more, and a longer line takes no memory. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits a stream that starts at `from` into lines. They end with LF, CRLF or CR, also mixed; a byte order mark is
 * dropped. Memory stays below twice the longest line allowed, whatever the stream contains.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  from: LinePosition = FILE_START,
): AsyncGenerator<Line> {
  const reader = new LineReader(from);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.finish();
}

class LineReader {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private tooLong = false;
  private endedWithCr = false;
  private start: number;
  private number: number;

  constructor({ byte, line }: LinePosition) {
    this.start = byte;
    this.number = line;
  }

  *read(chunk: Uint8Array): Generator<Line> {
    let at = 0;
    if (this.endedWithCr && chunk.length > 0) {
      this.endedWithCr = false;
      if (chunk[0] === LF) at = 1;
      yield this.line(1 + at);
    }
    let lf = chunk.indexOf(LF, at);
    let cr = chunk.indexOf(CR, at);
    while (lf >= 0 || cr >= 0) {
      const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf;
      let next = end + 1;
      if (end === cr && chunk[next] === LF) next += 1;
      this.keep(chunk.subarray(at, end));
      at = next;
      // The next chunk may begin with the LF of a CRLF, which belongs to this line.
      this.endedWithCr = end === cr && next === end + 1 && next === chunk.length;
      if (!this.endedWithCr) yield this.line(next - end);
      if (lf >= 0 && lf < at) lf = chunk.indexOf(LF, at);
      if (cr >= 0 && cr < at) cr = chunk.indexOf(CR, at);
    }
    this.keep(chunk.subarray(at));
  }

  *finish(): Generator<Line> {
    if (this.endedWithCr || this.pendingBytes > 0) yield this.line(this.endedWithCr ? 1 : 0);
  }

  private keep(bytes: Uint8Array) {
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > MAX_LINE_BYTES) {
      this.tooLong = true;
      this.pending = [];
    } else if (bytes.length > 0) {
      this.pending.push(bytes);
    }
  }

  private line(endBytes: number): Line {
    const start = this.start;
    const end = start + this.pendingBytes + endBytes;
    this.number += 1;
    const content = this.content();
    this.pending = [];
    this.pendingBytes = 0;
    this.tooLong = false;
    this.start = end;
    return { number: this.number, start, end, ...content };
  }

  private content(): Pick<Line, 'text' | 'fault'> {
    if (this.tooLong) return { text: '', fault: 'too-long' };
    const [first] = this.pending;
    const bytes = this.pending.length === 1 && first ? first : Buffer.concat(this.pending);
    try {
      const text = this.decoder.decode(bytes);
      return { text: this.number === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text };
    } catch {
      return { text: '', fault: 'not-utf-8' };
    }
  }
}
