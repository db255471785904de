const CONSECUTIVE_MAX = 3;
const WINDOW = 20;
const OPEN_MILLIS_MIN = 1_000;
/** The longest pause. With the random spread it is below ten seconds, within which the meter must be exact again. */
const OPEN_MILLIS_MAX = 8_000;
const SPREAD = 0.2;

/**
 * A circuit breaker for a table that does not answer. It opens after three consecutive failures, or when half of the
 * last twenty calls failed; then one probe at a time checks whether the table has recovered.
 */
export class Breaker {
  private readonly outcomes: boolean[] = [];
  private failuresInARow = 0;
  private openMillis = 0;
  private openUntil = 0;
  private probing = false;
  private readonly now: () => number;
  private readonly random: () => number;

  /** @param now milliseconds */
  constructor(now: () => number, random: () => number = Math.random) {
    this.now = now;
    this.random = random;
  }

  get isOpen(): boolean {
    return this.openMillis > 0;
  }

  /**
   * Returns whether the caller may try. While the breaker is open only one caller may, and it must report the outcome.
   */
  allows(): boolean {
    if (!this.isOpen) return true;
    const wait = this.openUntil - this.now();
    // A pause longer than the longest one means that the clock was set back.
    if (this.probing || (wait > 0 && wait <= OPEN_MILLIS_MAX * (1 + SPREAD))) return false;
    this.probing = true;
    return true;
  }

  /** Reports that the caller did not call the table after all, so that the next caller may try. */
  unused(): void {
    this.probing = false;
  }

  succeeded(): void {
    if (this.probing) {
      this.outcomes.length = 0;
      this.openMillis = 0;
    }
    this.probing = false;
    this.failuresInARow = 0;
    this.note(true);
  }

  failed(): void {
    this.failuresInARow += 1;
    this.note(false);
    const failures = this.outcomes.filter((good) => !good).length;
    const isMostlyDown = failures * 2 >= WINDOW;
    if (this.probing || (!this.isOpen && (this.failuresInARow >= CONSECUTIVE_MAX || isMostlyDown))) {
      this.openMillis = Math.min(OPEN_MILLIS_MAX, Math.max(OPEN_MILLIS_MIN, this.openMillis * 2));
      this.openUntil = this.now() + this.openMillis * (1 - SPREAD + 2 * SPREAD * this.random());
    }
    this.probing = false;
  }

  private note(good: boolean): void {
    this.outcomes.push(good);
    if (this.outcomes.length > WINDOW) this.outcomes.shift();
  }
}
