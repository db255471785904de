/** Print on a strip of paper: lines of cells, placed by columns as tills do. */
export interface Sheet {
  /** Characters a line. */
  readonly columns: number;
  readonly lines: readonly Line[];
}

interface Cell {
  readonly text: string;
  /** The column at which the text starts, ends or has its middle. */
  readonly at: number;
  readonly align: 'start' | 'middle' | 'end';
}

export interface Line {
  readonly cells: readonly Cell[];
  /** Times the ordinary height. */
  readonly scale?: number;
  readonly bold?: boolean;
}

type Style = Omit<Line, 'cells'>;

/** Sets lines into a strip of so many columns. */
export class Till {
  readonly columns: number;
  readonly lines: Line[] = [];

  constructor(columns: number) {
    this.columns = columns;
  }

  centre(text: string, style: Style = {}): void {
    const scale = Math.min(style.scale ?? 1, this.columns / text.length);
    this.lines.push({ ...style, scale, cells: [{ text, at: this.columns / 2, align: 'middle' }] });
  }

  left(text: string, style: Style = {}): void {
    this.lines.push({ ...style, cells: [{ text, at: 0, align: 'start' }] });
  }

  /** What stands at the left, and an amount at the right edge or so many columns before it. */
  pair(
    left: string,
    right: string,
    { before = 0, indent = 0, ...style }: Style & { before?: number; indent?: number } = {},
  ): void {
    this.lines.push({
      ...style,
      cells: [
        { text: left, at: indent, align: 'start' },
        { text: right, at: this.columns - before, align: 'end' },
      ],
    });
  }

  /** Cells as `[text, column]`; a negative column counts from the right edge and ends the text there. */
  row(...cells: readonly (readonly [text: string, column: number])[]): void {
    this.lines.push({
      cells: cells.map(([text, column]) =>
        column < 0 || Object.is(column, -0)
          ? { text, at: this.columns + column, align: 'end' }
          : { text, at: column, align: 'start' },
      ),
    });
  }

  rule(sign = '-'): void {
    this.left(sign.repeat(this.columns));
  }

  blank(): void {
    this.lines.push({ cells: [] });
  }

  sheet(): Sheet {
    return { columns: this.columns, lines: this.lines };
  }
}
