/** The throttle of a stage or a route: a burst of requests, refilled at a steady rate. */
export class TokenBucket {
  private readonly ratePerSecond: number;
  private readonly burst: number;
  private tokens: number;
  private filledAt: number;

  constructor({ ratePerSecond, burst, nowMillis }: { ratePerSecond: number; burst: number; nowMillis: number }) {
    this.ratePerSecond = ratePerSecond;
    this.burst = burst;
    this.tokens = burst;
    this.filledAt = nowMillis;
  }

  take(nowMillis: number): boolean {
    // A test may move the clock back.
    const gained = (Math.max(0, nowMillis - this.filledAt) / 1000) * this.ratePerSecond;
    this.tokens = Math.min(this.burst, this.tokens + gained);
    this.filledAt = nowMillis;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
