/** A line of a report: what was rejected, and why. */
export interface Rejection {
  readonly line: number;
  readonly reason: string;
}

/** Lines that are shown of one reason; further ones are only counted. */
export const LINES_PER_REASON = 20;

/** The rejected lines of a file that are shown. A wrong column rejects every line, all for the same reason. */
export class ShownRejections {
  readonly #lines = new Map<string, number>();

  /** What to show of this line; undefined when enough lines of its reason were shown. */
  add({ line, reason }: Rejection): string | undefined {
    const lines = (this.#lines.get(reason) ?? 0) + 1;
    this.#lines.set(reason, lines);
    return lines <= LINES_PER_REASON ? `line ${line}: ${reason}` : undefined;
  }

  /** What to show at the end: the reasons of the lines that were not shown, with their count. */
  rest(): string[] {
    const hidden = [...this.#lines].filter(([, lines]) => lines > LINES_PER_REASON);
    return hidden.map(([reason, lines]) => {
      const more = lines - LINES_PER_REASON;
      return `${more} more ${more === 1 ? 'line' : 'lines'}: ${reason}`;
    });
  }
}
