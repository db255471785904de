import type { Account } from '../balances/account.ts';
import type { Caller, Reservation } from './admission.ts';
import type { MeterStore, Taken, Taking } from './meter.ts';

/** The table for one request: every call ends at its timeout, whether or not the client obeys its abort signal. */
export class TimedStore implements MeterStore {
  /** True if the table was called for limits. A cached credential makes no call. */
  isCalled = false;
  /** The pending write. It continues after its timeout, so that its outcome is known later. */
  pending: Promise<Taken> | undefined;
  private readonly store: MeterStore;
  private readonly callMillis: number;

  constructor(store: MeterStore, callMillis: number) {
    this.store = store;
    this.callMillis = callMillis;
  }

  read(tenant: string, signal: AbortSignal): Promise<Account | undefined> {
    this.isCalled = true;
    return within(this.ofOneCall(signal), (inner) => this.store.read(tenant, inner));
  }

  async take(taking: Taking, signal: AbortSignal): Promise<Taken> {
    this.isCalled = true;
    const taken = await within(this.ofOneCall(signal), (inner) => {
      this.pending = this.store.take(taking, inner);
      return this.pending;
    });
    this.pending = undefined;
    return taken;
  }

  /** A transaction takes longer than a single write, so its timeout is the remaining time of the request. */
  advance(tenant: string, item: Account, signal: AbortSignal): Promise<Account | undefined> {
    this.isCalled = true;
    return within(signal, (inner) => this.store.advance(tenant, item, inner));
  }

  giveBack(reservation: Reservation, signal: AbortSignal): Promise<boolean> {
    return within(this.ofOneCall(signal), (inner) => this.store.giveBack(reservation, inner));
  }

  knowsOverflow(caller: Caller, signal: AbortSignal): Promise<boolean> {
    return within(this.ofOneCall(signal), (inner) => this.store.knowsOverflow(caller, inner));
  }

  private readonly ofOneCall = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(this.callMillis)]);
}

/** Rejects with the signal's reason at the timeout; the work may still complete later, and its result is ignored. */
export async function within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work(signal).then(resolve, reject);
  });
}
