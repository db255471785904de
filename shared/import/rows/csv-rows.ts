import type { Line } from './lines.ts';

/** A row of a CSV file. It starts on `line` and continues over more lines if a quoted cell contains line ends. */
export interface Row {
  readonly line: number;
  /** The start of the next row. */
  readonly end: { readonly byte: number; readonly line: number };
  readonly cells: readonly string[];
  /** The reason why there are no cells. */
  readonly fault?: string;
  /** The text of the line that has a fault. */
  readonly text?: string;
}

/** The maximum length of a row, so that an unclosed quote does not swallow the file. */
const MAX_ROW_CHARACTERS = 1024 * 1024;

const FAULTS = { 'too-long': 'the line is longer than 4 MiB', 'not-utf-8': 'the line is not UTF-8 text' } as const;

/** The description of a line's fault, the same for every format. */
export const faultOf = ({ fault }: Line): string | undefined => fault && FAULTS[fault];

/**
 * Splits lines into RFC 4180 rows. A bad row costs only its own line: reading continues with the next line. A quote
 * inside an unquoted cell is an ordinary character. No library is used, because those that we tried lose the rest of
 * the file after a bad row, and an import must be able to resume at any row.
 */
export async function* rowsOf(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  const source = new Rereadable(lines);
  for (let first = await source.next(); first; first = await source.next()) {
    const parser = new RowParser();
    const ahead: Line[] = [];
    let characters = 0;
    let last = first;
    let fault = faultOf(first) ?? parser.read(first.text);
    while (!fault && parser.open) {
      characters += last.text.length;
      const more = characters < MAX_ROW_CHARACTERS ? await source.next() : undefined;
      if (more) ahead.push(more);
      fault = more ? (faultOf(more) ?? parser.read(more.text)) : 'a quote is not closed';
      last = more ?? last;
    }
    if (fault) {
      source.again(ahead);
      const end = { byte: first.end, line: first.number };
      yield { line: first.number, end, cells: [], fault, text: first.text };
    } else {
      yield { line: first.number, end: { byte: last.end, line: last.number }, cells: parser.cells };
    }
  }
}

/** Lines that can be put back. */
class Rereadable {
  private readonly source: AsyncIterator<Line>;
  private given: Line[] = [];
  private at = 0;

  constructor(lines: AsyncIterable<Line>) {
    this.source = lines[Symbol.asyncIterator]();
  }

  async next(): Promise<Line | undefined> {
    if (this.at < this.given.length) return this.given[this.at++];
    const { done, value } = await this.source.next();
    return done ? undefined : value;
  }

  again(lines: Line[]): void {
    this.given = lines.concat(this.given.slice(this.at));
    this.at = 0;
  }
}

/** Parses one row, line by line, reading every character once. */
class RowParser {
  readonly cells: string[] = [];
  /** True while a quoted cell continues on the next line. */
  open = false;
  private quoted: string[] = [];

  /** Returns the fault of the row, if it has one. */
  read(line: string): string | undefined {
    let at = this.open ? 0 : this.begin(line, 0);
    while (at >= 0) {
      const close = this.open ? closingQuote(line, at) : -1;
      if (this.open && close < 0) {
        this.quoted.push(line.slice(at));
        return undefined;
      }
      if (this.open) {
        if (close + 1 < line.length && line[close + 1] !== ',') return 'text follows a closing quote';
        this.endQuoted(line.slice(at, close));
        at = close + 1;
      } else {
        const comma = line.indexOf(',', at);
        const end = comma < 0 ? line.length : comma;
        this.cells.push(line.slice(at, end));
        at = end;
      }
      at = at < line.length ? this.begin(line, at + 1) : -1;
    }
    return undefined;
  }

  /** Starts a cell at `at`, and returns the start of its text. */
  private begin(line: string, at: number): number {
    this.open = line[at] === '"';
    return this.open ? at + 1 : at;
  }

  private endQuoted(rest: string) {
    this.cells.push([...this.quoted, rest].join('\n').replaceAll('""', '"'));
    this.quoted = [];
    this.open = false;
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
