/** Faults that tests plan, to prove that nothing is lost: a function dies, is throttled, or gets an event twice. */
import type { DeathDuringCall } from './worker-protocol.ts';

/**
 * `before-invoke`: the event arrived, the handler never began. `after-result`: all is done, but the caller never
 * hears of it. Otherwise at an AWS call, counted from 1 in each invocation.
 */
export type Death = 'before-invoke' | 'after-result' | DeathDuringCall;

/** The failure of every invocation, cold or warm, until the function is healed. */
export type Breakdown = 'throws' | 'times-out' | 'runs-out-of-memory' | 'fails-to-load';

type Fault =
  | { readonly kind: 'death'; readonly death: Death }
  | { readonly kind: 'throttle' }
  | { readonly kind: 'twice'; readonly together: boolean };

interface Planned {
  readonly functionArn: string;
  readonly fault: Fault;
}

export class Faults {
  private readonly planned: Planned[] = [];
  private readonly broken = new Map<string, Breakdown>();
  private readonly arnOf: (functionName: string) => string;
  private readonly endRunning: (functionArn: string) => Promise<number>;

  /**
   * @param arnOf finds a function by its name or by a part of its construct's path.
   * @param endRunning ends the running invocations of a function, and returns their number
   */
  constructor(arnOf: (functionName: string) => string, endRunning: (functionArn: string) => Promise<number>) {
    this.arnOf = arnOf;
    this.endRunning = endRunning;
  }

  /** The next invocation dies at this moment; further calls plan the ones after it. */
  kill(functionName: string, death: Death): void {
    this.planned.push({ functionArn: this.arnOf(functionName), fault: { kind: 'death', death } });
  }

  /** Kills the running invocations, as running out of memory does. Returns how many died. */
  killRunning(functionName: string): Promise<number> {
    return this.endRunning(this.arnOf(functionName));
  }

  /** The next invocations, as many as `times`, are refused with 429. */
  throttle(functionName: string, times = 1): void {
    const functionArn = this.arnOf(functionName);
    for (let i = 0; i < times; i++) this.planned.push({ functionArn, fault: { kind: 'throttle' } });
  }

  /**
   * The next event is handled twice, one after the other or at the same time; the caller gets the second answer.
   * @default one after the other
   */
  deliverTwice(functionName: string, { together = false } = {}): void {
    this.planned.push({ functionArn: this.arnOf(functionName), fault: { kind: 'twice', together } });
  }

  /**
   * Every invocation fails in this way until `heal`. A timeout comes at once, with the outcome that the function's own
   * time would have had.
   */
  breakDown(functionName: string, breakdown: Breakdown): void {
    this.broken.set(this.arnOf(functionName), breakdown);
  }

  heal(functionName: string): void {
    this.broken.delete(this.arnOf(functionName));
  }

  breakdownOf(functionArn: string): Breakdown | undefined {
    return this.broken.get(functionArn);
  }

  /** Faults that have not happened yet. If any are left at its end, a test has proved nothing. */
  get pending(): number {
    return this.planned.length;
  }

  clear(): void {
    this.planned.length = 0;
    this.broken.clear();
  }

  /** The next planned fault of a function, once. */
  take(functionArn: string): Fault | undefined {
    const index = this.planned.findIndex((planned) => planned.functionArn === functionArn);
    return index < 0 ? undefined : this.planned.splice(index, 1)[0]?.fault;
  }
}
