/** A client of the SDK, for any service. */
export interface Client {
  readonly middlewareStack: MiddlewareStack;
}
interface MiddlewareStack {
  add(middleware: never, options: object): void;
  clone(): MiddlewareStack;
}

/** A client with middleware of its own: it shares the connections and what the SDK resolves once. */
export function withMiddleware<C extends Client>(client: C, name: string, middleware: unknown): C {
  const middlewareStack = client.middlewareStack.clone();
  middlewareStack.add(middleware as never, { step: 'initialize', priority: 'high', name });
  return Object.assign(Object.create(client), { middlewareStack });
}

/** Thrown by every AWS call after the moment of death. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** Of a process that may die: fails for any other reason. */
export function unlessKilled(error: unknown): void {
  const errors = error instanceof AggregateError ? error.errors : [error];
  if (!errors.every((one) => one instanceof Killed)) throw error;
}

/**
 * Lets a process die at one of its AWS calls: `before` the call reaches AWS, or `after` AWS has carried it out and
 * before the process learns of it. From then on every further call of the process fails too.
 */
export class Mortality {
  calls = 0;
  /** The number of the call at which it died. */
  diedAt: number | undefined;
  private readonly dieAt: number;
  private readonly when: 'before' | 'after';
  private readonly survivesReads: boolean;

  /**
   * @param dieAt number of the call, from 1; Infinity for never.
   * @param options.survivesReads it dies at the first call from there on that does not only read. @default false
   */
  constructor(
    dieAt = Number.POSITIVE_INFINITY,
    when: 'before' | 'after' = 'before',
    { survivesReads = false }: { survivesReads?: boolean } = {},
  ) {
    this.dieAt = dieAt;
    this.when = when;
    this.survivesReads = survivesReads;
  }

  /** The client as this process has it: mortal. */
  bind<C extends Client>(client: C): C {
    const dying =
      (next: (args: unknown) => Promise<unknown>, { commandName = '' }: { readonly commandName?: string }) =>
      (args: unknown) =>
        this.live(() => next(args), READS.test(commandName));
    return withMiddleware(client, 'mortality', dying);
  }

  /** A call of this process to the outside, whatever it reaches: it counts like those of the SDK. */
  async live<T>(work: () => Promise<T>, onlyReads = false): Promise<T> {
    this.calls += 1;
    const call = this.calls;
    if (call >= this.dieAt && !(onlyReads && this.survivesReads)) this.diedAt ??= call;
    // Of calls that are made side by side, those that are under way are carried out.
    if (this.diedAt !== undefined && (call > this.diedAt || this.when === 'before')) throw new Killed();
    const result = await work();
    if (call === this.diedAt) throw new Killed();
    return result;
  }

  /** When it died. */
  toString(): string {
    return this.diedAt === undefined ? 'never' : `${this.when} call ${this.diedAt}`;
  }
}

/** Commands of the SDK that leave everything as it is. */
const READS = /^(Get|BatchGet|TransactGet|Query|Scan|List|Head|Describe)/;

/** Lets something else happen, from beginning to end, right before one of the AWS calls of a process. */
export class Interlude {
  calls = 0;
  private readonly before: number;
  private readonly happen: () => Promise<unknown>;

  /** @param before number of the call, from 1. */
  constructor(before: number, happen: () => Promise<unknown>) {
    this.before = before;
    this.happen = happen;
  }

  bind<C extends Client>(client: C): C {
    return withMiddleware(client, 'interlude', (next: (args: unknown) => Promise<unknown>) => async (args: unknown) => {
      this.calls += 1;
      if (this.calls === this.before) await this.happen();
      return next(args);
    });
  }
}
