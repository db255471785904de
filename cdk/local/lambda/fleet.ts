/** All running copies of all functions: started when needed, used again while warm, retired when idle. */
import type { FunctionInstance } from './function-instance.ts';

export interface FleetOptions {
  /**
   * The maximum number of threads. Further invocations wait, because a laptop has fewer resources than a region of AWS.
   */
  readonly threads: number;
  /** The number of threads that may load at the same time; loading is limited by the processor. */
  readonly starting: number;
  /** The idle time after which the last copy of a function ends. */
  readonly idleSeconds: number;
  /** The idle time after which any other copy ends: it takes as much memory, and was needed only for a short peak. */
  readonly spareSeconds: number;
}

/**
 * A busy copy is often free before another one has loaded, which takes a tenth of a second of processor time. A copy that
 * has just loaded gets as long for what has waited for it.
 */
const PATIENCE_SECONDS = 0.1;
/** A timer may be early by a fraction of a millisecond. */
const EARLY_MILLIS = 1;

interface Request {
  /** Copies of the same pool can take each other's events. */
  readonly pool: string;
  readonly start: () => FunctionInstance;
  /** Starts a further copy at once if all are at work, as AWS would. @default false: an invocation waits for a moment */
  readonly isUrgent?: boolean;
}

interface Waiting {
  readonly start: () => FunctionInstance;
  readonly isUrgent: boolean;
  /** Milliseconds since this process began. */
  readonly since: number;
  readonly resolve: (thread: FunctionInstance) => void;
  readonly reject: (error: unknown) => void;
}

interface Idle {
  readonly thread: FunctionInstance;
  /** Grows with every thread that becomes idle. */
  readonly since: number;
  retire: NodeJS.Timeout;
}

export class Fleet {
  private readonly options: FleetOptions;
  /** The waiting invocations of each pool, the longest wait first. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly idle = new Map<string, Idle[]>();
  private readonly starting = new Map<string, number>();
  /** The time at which the last copy of each pool had loaded, in milliseconds since this process began. */
  private readonly lastLoad = new Map<string, number>();
  private readonly threads = new Set<FunctionInstance>();
  private rests = 0;
  /** The threads that run code from before a change. */
  private readonly outdated = new WeakSet<FunctionInstance>();
  private closed = false;

  constructor(options: FleetOptions) {
    this.options = options;
  }

  /** Returns a warm copy of the pool, or a new one. The caller returns it with `release`. */
  acquire({ pool, start, isUrgent = false }: Request): Promise<FunctionInstance> {
    if (this.closed) return Promise.reject(new Error('The local cloud is stopping.'));
    const warm = this.takeIdle(pool);
    if (warm) return Promise.resolve(warm);
    return new Promise((resolve, reject) => {
      listOf(this.waiting, pool).push({ start, resolve, reject, isUrgent, since: performance.now() });
      this.pump();
      after(PATIENCE_SECONDS, () => this.pump());
    });
  }

  /** Takes a copy back: it handles the next waiting invocation or becomes idle. A dead one is dropped. */
  release(thread: FunctionInstance): void {
    if (!thread.alive || this.closed || this.outdated.has(thread)) this.forget(thread);
    else {
      const next = this.waiting.get(thread.pool)?.shift();
      if (next) next.resolve(thread);
      else this.rest(thread);
    }
    this.pump();
  }

  /** The copies of a function handle no further events: idle ones end now, others when they are released. */
  replace(functionArn: string): void {
    for (const thread of this.threads) {
      if (thread.definition.arn !== functionArn) continue;
      this.outdated.add(thread);
      this.retire(thread);
    }
  }

  get size(): number {
    return this.threads.size;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { reject } of [...this.waiting.values()].flat()) reject(new Error('The local cloud is stopping.'));
    this.waiting.clear();
    for (const { retire } of [...this.idle.values()].flat()) clearTimeout(retire);
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  /** Starts threads for waiting invocations, as far as the machine allows. */
  private pump() {
    for (const [pool, waiting] of this.waiting) {
      const needed = Math.max(waiting.filter(({ isUrgent }) => isUrgent).length, this.isStuck(pool) ? 1 : 0);
      for (let loading = this.starting.get(pool) ?? 0; loading < needed && this.hasRoom(); loading++) {
        const first = waiting[0];
        if (first) void this.start(pool, first.start);
      }
    }
  }

  /** True if the longest wait in a pool is not one for a copy that is about to be free. */
  private isStuck(pool: string): boolean {
    const [first] = this.waiting.get(pool) ?? [];
    if (!first || this.closed) return false;
    const since = Math.max(first.since, this.lastLoad.get(pool) ?? 0);
    return !this.hasCopy(pool) || performance.now() - since >= PATIENCE_SECONDS * 1000 - EARLY_MILLIS;
  }

  private hasCopy(pool: string): boolean {
    return [...this.threads].some((thread) => thread.pool === pool);
  }

  private hasRoom(): boolean {
    const loading = [...this.starting.values()].reduce((sum, count) => sum + count, 0);
    if (loading >= this.options.starting) return false;
    return this.threads.size < this.options.threads || this.retireLongestIdle();
  }

  private async start(pool: string, start: () => FunctionInstance) {
    const thread = start();
    this.threads.add(thread);
    this.starting.set(pool, (this.starting.get(pool) ?? 0) + 1);
    try {
      await thread.ready;
      this.loaded(pool);
      this.lastLoad.set(pool, performance.now());
      this.release(thread);
      after(PATIENCE_SECONDS, () => this.pump());
    } catch (error) {
      this.loaded(pool);
      this.forget(thread);
      this.waiting.get(pool)?.shift()?.reject(error);
      this.pump();
    }
  }

  private loaded(pool: string) {
    this.starting.set(pool, (this.starting.get(pool) ?? 1) - 1);
  }

  private rest(thread: FunctionInstance) {
    const { idleSeconds, spareSeconds } = this.options;
    const first = Math.min(idleSeconds, spareSeconds);
    this.rests += 1;
    listOf(this.idle, thread.pool).push({
      thread,
      since: this.rests,
      retire: after(first, () => {
        if (!this.isLast(thread)) this.retire(thread);
        else this.retireLater(thread, idleSeconds - first);
      }),
    });
  }

  private isLast({ pool }: FunctionInstance): boolean {
    return [...this.threads].filter((thread) => thread.pool === pool).length === 1;
  }

  private retireLater(thread: FunctionInstance, seconds: number) {
    const idle = this.idle.get(thread.pool)?.find((one) => one.thread === thread);
    if (idle) idle.retire = after(seconds, () => this.retire(thread));
  }

  private takeIdle(pool: string): FunctionInstance | undefined {
    const resting = this.idle.get(pool) ?? [];
    for (let next = resting.pop(); next; next = resting.pop()) {
      clearTimeout(next.retire);
      if (next.thread.alive) return next.thread;
      this.forget(next.thread);
    }
    return undefined;
  }

  private retireLongestIdle(): boolean {
    // The idle threads of a pool, in the order in which they became idle.
    const longest = [...this.idle.values()]
      .flatMap((resting) => resting.slice(0, 1))
      .reduce<Idle | undefined>((first, idle) => (first && first.since < idle.since ? first : idle), undefined);
    if (longest) this.retire(longest.thread);
    return longest !== undefined;
  }

  private retire(thread: FunctionInstance) {
    const resting = listOf(this.idle, thread.pool);
    const index = resting.findIndex((idle) => idle.thread === thread);
    if (index < 0) return;
    const [idle] = resting.splice(index, 1);
    clearTimeout(idle?.retire);
    this.forget(thread);
  }

  private forget(thread: FunctionInstance) {
    this.threads.delete(thread);
    void thread.terminate();
  }
}

function after(seconds: number, work: () => void): NodeJS.Timeout {
  return setTimeout(work, seconds * 1000).unref();
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
