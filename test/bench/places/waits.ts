import { type Client, withMiddleware } from '../../support/faults/mortal-clients.ts';

/** What a call takes in its region: the slower end of what is told of each. */
const CALL_SECONDS: Readonly<Record<string, number>> = {
  GetItem: 0.008,
  BatchGetItem: 0.008,
  Query: 0.008,
  PutItem: 0.008,
  TransactWriteItems: 0.02,
  PutEvents: 0.03,
  UpdateItem: 0.008,
  // Objects of some megabytes.
  GetObject: 0.06,
  PutObject: 0.1,
  HeadObject: 0.02,
  DeleteObject: 0.02,
};

type Next = (call: unknown) => Promise<unknown>;

/** How long code waits for AWS. Calls that are under way at the same time are one wait, as long as the longest of them. */
export class Waits {
  /** Seconds of each. */
  #all: number[] = [];
  #underWay = 0;

  bind<C extends Client>(client: C): C {
    const waiting =
      (next: Next, { commandName = '' }: { commandName?: string }) =>
      async (call: unknown) => {
        const seconds = CALL_SECONDS[commandName.replace(/Command$/, '')];
        if (seconds === undefined) throw new Error(`How long ${commandName} takes is not known.`);
        if (this.#underWay === 0) this.#all.push(0);
        this.#all[this.#all.length - 1] = Math.max(this.#all.at(-1) ?? 0, seconds);
        this.#underWay += 1;
        try {
          return await next(call);
        } finally {
          this.#underWay -= 1;
        }
      };
    return withMiddleware(client, 'waits', waiting);
  }

  /** Since the last time. */
  take(): { readonly count: number; readonly seconds: number } {
    const all = this.#all;
    this.#all = [];
    return { count: all.length, seconds: all.reduce((sum, seconds) => sum + seconds, 0) };
  }
}
