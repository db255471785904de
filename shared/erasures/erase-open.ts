import { atOnce } from '#shared/at-once';
import { isoTime } from '#shared/timestamp';
import { type ErasingDomain, type OpenErasure, SETTLED_AFTER_MILLIS } from './erasure.ts';

/** Customers who are erased at the same time. */
const CUSTOMERS_AT_ONCE = 8;

export interface ErasingDeps {
  readonly domain: ErasingDomain;
  /** Pages of all tenants, the oldest first. */
  readonly open: () => AsyncIterable<readonly OpenErasure[]>;
  /** Erases what the domain holds of the customer. It may be repeated, and may end anywhere. */
  readonly erase: (erasure: OpenErasure) => Promise<void>;
  /** Notes that the domain holds nothing of the customer any more. */
  readonly note: (erasure: OpenErasure, domain: ErasingDomain, at: string) => Promise<void>;
  readonly failed: (erasure: OpenErasure, error: unknown) => void;
}

/**
 * Does the part of one domain in all erasures that are under way. The first pass may miss what is written at the same time
 * or stands in an index that lags, so the part is done again an hour after the request, and only then noted. An erasure that
 * fails keeps no other from being done, and is tried again by the next call.
 */
export async function eraseOpen({ domain, open, erase, note, failed }: ErasingDeps, now: number): Promise<void> {
  for await (const page of open()) {
    await atOnce(page, CUSTOMERS_AT_ONCE, async (erasure) => {
      if (erasure.erasedAt[domain] !== undefined) return;
      try {
        await erase(erasure);
        const isSettled = now - Date.parse(erasure.requestedAt) >= SETTLED_AFTER_MILLIS;
        if (isSettled) await note(erasure, domain, isoTime(now));
      } catch (error) {
        failed(erasure, error);
      }
    });
  }
}
