import { atOnce } from '#shared/at-once';
import { isoTime } from '#shared/formats/timestamp';
import { type ErasingDomain, isSettled, type OpenAccountErasure, type OpenErasure } from './erasure.ts';

/** Erasures that are done at the same time. */
const ERASURES_AT_ONCE = 8;

export interface ErasingDeps {
  readonly domain: ErasingDomain;
  /** Pages of all tenants, the oldest first. */
  readonly open: () => AsyncIterable<readonly (OpenErasure | OpenAccountErasure)[]>;
  /**
   * Erases what the domain holds of the customer. It may be repeated, and may end anywhere. @default the domain holds
   * nothing of customers
   */
  readonly erase?: (erasure: OpenErasure) => Promise<void>;
  /** Goes on with erasing what the domain holds of the tenant, and notes when that is done. */
  readonly eraseAccount: (erasure: OpenAccountErasure, now: number) => Promise<void>;
  /** Notes that the domain holds nothing of the customer any more. */
  readonly note: (erasure: OpenErasure, domain: ErasingDomain, at: string) => Promise<void>;
  readonly failed: (erasure: OpenErasure | OpenAccountErasure, error: unknown) => void;
}

/**
 * Does the part of one domain in all erasures that are under way. The first pass may miss what is written at the same time
 * or stands in an index that lags, so the part is done again an hour after the request, and only then noted. An erasure that
 * fails keeps no other from being done, and is tried again by the next call.
 */
export async function eraseOpen(
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
