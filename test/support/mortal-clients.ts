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

/**
 * Lets a process die at one of its AWS calls: `before` the call reaches AWS, or `after` AWS has carried it out and
 * before the process learns of it. From then on every further call of the process fails too.
 */
export class Mortality {
  calls = 0;
  private readonly dieAt: number;
  private readonly when: 'before' | 'after';

  /** @param dieAt number of the call, from 1; Infinity for never. */
  constructor(dieAt = Number.POSITIVE_INFINITY, when: 'before' | 'after' = 'before') {
    this.dieAt = dieAt;
    this.when = when;
  }

  /** The client as this process has it: mortal. */
  bind<C extends Client>(client: C): C {
    const dying = (next: (args: unknown) => Promise<unknown>) => (args: unknown) => this.live(() => next(args));
    return withMiddleware(client, 'mortality', dying);
  }

  /** A call of this process to the outside, whatever it reaches: it counts like those of the SDK. */
  async live<T>(work: () => Promise<T>): Promise<T> {
    this.calls += 1;
    const call = this.calls;
    if (call > this.dieAt || (call === this.dieAt && this.when === 'before')) throw new Killed();
    const result = await work();
    if (call === this.dieAt) throw new Killed();
    return result;
  }
}
