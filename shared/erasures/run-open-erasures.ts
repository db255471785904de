import { atOnce } from '#shared/at-once';
import { isoTime } from '#shared/formats/timestamp';
import { type ErasingDomain, isSettled, type OpenAccountErasure, type OpenErasure } from './erasure.ts';

/** The number of erasures that run at the same time. */
const ERASURES_AT_ONCE = 8;

export interface ErasingDeps {
  readonly domain: ErasingDomain;
  /** Pages of all tenants, the oldest first. */
  readonly open: () => AsyncIterable<readonly (OpenErasure | OpenAccountErasure)[]>;
  /**
   * Erases what the domain holds of the customer. It is idempotent, and may stop at any point. @default the domain holds
   * nothing of customers
   */
  readonly erase?: (erasure: OpenErasure) => Promise<void>;
  /** Continues the pass through the data of the tenant, and notes the last one. */
  readonly eraseAccount: (erasure: OpenAccountErasure, now: number) => Promise<void>;
  /** Notes that the domain has erased its part for the last time. */
  readonly note: (erasure: OpenErasure, domain: ErasingDomain, at: string) => Promise<void>;
  readonly failed: (erasure: OpenErasure | OpenAccountErasure, error: unknown) => void;
}

/**
 * Runs the part of one domain in all open erasures. The first pass may miss data that is written at the same time or that
 * an index does not show yet, so another pass runs an hour after the request, and only that one is noted. An erasure that
 * fails does not stop the others, and the next call retries it.
 */
export async function runOpenErasures(
  { domain, open, erase, eraseAccount, note, failed }: ErasingDeps,
  now: number,
): Promise<void> {
  for await (const page of open()) {
    await atOnce(page, ERASURES_AT_ONCE, async (erasure) => {
      if (erasure.erasedAt[domain] !== undefined) return;
      try {
        if (erasure.subject === 'account') return await eraseAccount(erasure, now);
        if (!erase) return;
        await erase(erasure);
        if (isSettled(erasure, now)) await note(erasure, domain, isoTime(now));
      } catch (error) {
        failed(erasure, error);
      }
    });
  }
}
