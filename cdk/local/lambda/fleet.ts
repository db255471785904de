/** All running copies of all functions: started when needed, used again while warm, retired when idle. */
import type { FunctionThread } from './function-thread.ts';

export interface FleetOptions {
  /** The maximum of threads. Further invocations wait: a laptop is not a region of AWS. */
  readonly threads: number;
  /** Threads that may load at the same time; loading is all processor. */
  readonly starting: number;
  /** The last copy of a function ends when it did nothing for so long. */
  readonly idleSeconds: number;
  /** Any other copy ends after this: it costs as much memory, and was needed only for a moment's load. */
  readonly spareSeconds: number;
}

interface Waiting {
  readonly start: () => FunctionThread;
  readonly resolve: (thread: FunctionThread) => void;
  readonly reject: (error: unknown) => void;
}

interface Idle {
  readonly thread: FunctionThread;
  /** Grows with every thread that comes to rest. */
  readonly since: number;
  retire: NodeJS.Timeout;
}

export class Fleet {
  private readonly options: FleetOptions;
  /** The key is the ARN of the function. Those that waited longest come first. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly idle = new Map<string, Idle[]>();
  private readonly starting = new Map<string, number>();
  private readonly threads = new Set<FunctionThread>();
  private rests = 0;
  /** The threads that run code from before a change. */
  private readonly outdated = new WeakSet<FunctionThread>();
  private closed = false;

  constructor(options: FleetOptions) {
    this.options = options;
  }

  /** A warm copy of the function, or a new one. The caller gives it back with `release`. */
  acquire(functionArn: string, start: () => FunctionThread): Promise<FunctionThread> {
    if (this.closed) return Promise.reject(new Error('The local cloud is stopping.'));
    const warm = this.takeIdle(functionArn);
    if (warm) return Promise.resolve(warm);
    return new Promise((resolve, reject) => {
      listOf(this.waiting, functionArn).push({ start, resolve, reject });
      this.pump();
    });
  }

  /** Gives a copy back: to the next invocation that waits for it, or to rest. A dead one is forgotten. */
  release(thread: FunctionThread): void {
    const { arn } = thread.definition;
    if (!thread.alive || this.closed || this.outdated.has(thread)) this.forget(thread);
    else {
      const next = this.waiting.get(arn)?.shift();
      if (next) next.resolve(thread);
      else this.rest(thread);
    }
    this.pump();
  }

  /** The copies of a function handle no further events: idle ones end now, others when they are released. */
  replace(functionArn: string): void {
    const idle = this.idle.get(functionArn)?.map(({ thread }) => thread) ?? [];
    for (const thread of idle) this.retire(thread);
    for (const thread of this.threads) if (thread.definition.arn === functionArn) this.outdated.add(thread);
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
    for (const [arn, waiting] of this.waiting) {
      let loading = this.starting.get(arn) ?? 0;
      while (!this.closed && waiting.length > loading && this.hasRoom()) {
        const first = waiting[0];
        if (first) void this.start(arn, first.start);
        loading++;
      }
    }
  }

  private hasRoom(): boolean {
    const loading = [...this.starting.values()].reduce((sum, count) => sum + count, 0);
    if (loading >= this.options.starting) return false;
    return this.threads.size < this.options.threads || this.retireLongestIdle();
  }

  private async start(arn: string, start: () => FunctionThread) {
    const thread = start();
    this.threads.add(thread);
    this.starting.set(arn, (this.starting.get(arn) ?? 0) + 1);
    try {
      await thread.ready;
      this.loaded(arn);
      this.release(thread);
    } catch (error) {
      this.loaded(arn);
      this.forget(thread);
      this.waiting.get(arn)?.shift()?.reject(error);
      this.pump();
    }
  }

  private loaded(arn: string) {
    this.starting.set(arn, (this.starting.get(arn) ?? 1) - 1);
  }

  private rest(thread: FunctionThread) {
    const { idleSeconds, spareSeconds } = this.options;
    const first = Math.min(idleSeconds, spareSeconds);
    this.rests += 1;
    listOf(this.idle, thread.definition.arn).push({
      thread,
      since: this.rests,
      retire: after(first, () => {
        if (!this.isLast(thread)) this.retire(thread);
        else this.retireLater(thread, idleSeconds - first);
      }),
    });
  }

  private isLast({ definition }: FunctionThread): boolean {
    return [...this.threads].filter((thread) => thread.definition.arn === definition.arn).length === 1;
  }

  private retireLater(thread: FunctionThread, seconds: number) {
    const idle = this.idle.get(thread.definition.arn)?.find((one) => one.thread === thread);
    if (idle) idle.retire = after(seconds, () => this.retire(thread));
  }

  private takeIdle(arn: string): FunctionThread | undefined {
    const resting = this.idle.get(arn) ?? [];
    for (let next = resting.pop(); next; next = resting.pop()) {
      clearTimeout(next.retire);
      if (next.thread.alive) return next.thread;
      this.forget(next.thread);
    }
    return undefined;
  }

  private retireLongestIdle(): boolean {
    // Those of one function are in the order in which they came to rest.
    const longest = [...this.idle.values()]
      .flatMap((resting) => resting.slice(0, 1))
      .reduce<Idle | undefined>((first, idle) => (first && first.since < idle.since ? first : idle), undefined);
    if (longest) this.retire(longest.thread);
    return longest !== undefined;
  }

  private retire(thread: FunctionThread) {
    const resting = listOf(this.idle, thread.definition.arn);
    const index = resting.findIndex((idle) => idle.thread === thread);
    if (index < 0) return;
    const [idle] = resting.splice(index, 1);
    clearTimeout(idle?.retire);
    this.forget(thread);
  }

  private forget(thread: FunctionThread) {
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
