/** A line of a report: the number of the rejected line, the reason, and the line itself unless it is too long. */
export interface Rejection {
  readonly line: number;
  readonly reason: string;
  readonly text?: string;
  /** The cells of a CSV row. */
  readonly cells?: readonly string[];
}

/** The number of lines that are printed per reason. The others are only counted. */
export const LINES_PER_REASON = 20;

/** Selects the rejected lines to print. A wrong column rejects every line for the same reason. */
export class RejectionSummary {
  readonly #lines = new Map<string, number>();

  /** The text for this line; undefined if enough lines with its reason were printed. */
  add({ line, reason }: Rejection): string | undefined {
    const lines = (this.#lines.get(reason) ?? 0) + 1;
    this.#lines.set(reason, lines);
    return lines <= LINES_PER_REASON ? `line ${line}: ${reason}` : undefined;
  }

  /** The closing texts: reasons with the number of lines that were not printed. */
  rest(): string[] {
    const hidden = [...this.#lines].filter(([, lines]) => lines > LINES_PER_REASON);
    return hidden.map(([reason, lines]) => {
      const more = lines - LINES_PER_REASON;
      return `${more} more ${more === 1 ? 'line' : 'lines'}: ${reason}`;
    });
  }
}
