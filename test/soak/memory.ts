/** Measures whether the memory of this process stays what it is under the same load. */

/** Garbage that is not collected yet, and functions that were started anew, may take so much more. */
const TOLERANCE = 1.15;
/** Fewer measurements say nothing. */
const MEASUREMENTS_MIN = 8;

export class Memory {
  private readonly measured: number[] = [];

  measure(): void {
    this.measured.push(process.memoryUsage.rss() / 1e6);
  }

  get megabytes(): number {
    return Math.round(this.measured.at(-1) ?? 0);
  }

  /** Compares the last quarter of the time with the second one; in the first, functions are started. */
  faults(): string[] {
    const { second, last } = this.quarters();
    if (this.measured.length < MEASUREMENTS_MIN || last <= second * TOLERANCE) return [];
    return [`Memory grew from ${second} MB in the second quarter of the time to ${last} MB in the last.`];
  }

  counts(): Record<string, number> {
    const { second, last } = this.quarters();
    return this.measured.length < MEASUREMENTS_MIN ? {} : { megabytesThen: second, megabytesAtLast: last };
  }

  private quarters(): { readonly second: number; readonly last: number } {
    const quarter = this.measured.length / 4;
    const middle = (from: number, to: number) => {
      const sorted = this.measured.slice(Math.floor(from), Math.ceil(to)).toSorted((a, b) => a - b);
      return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
    };
    return { second: middle(quarter, 2 * quarter), last: middle(3 * quarter, 4 * quarter) };
  }
}
