import { ERASING_DOMAINS, type ErasingDomain, type Erasure } from '#shared/erasures/erasure';

/** An erasure is promised within a day. One that takes longer than this raises an alarm. */
const LATE_AFTER_MILLIS = 20 * 60 * 60_000;

export interface CompletionDeps {
  readonly open: () => AsyncIterable<readonly Erasure[]>;
  /** The domains of the stage. */
  readonly domains: readonly ErasingDomain[];
  readonly complete: (erasure: Erasure) => Promise<void>;
}

/** Completes the erasures of which every domain has erased its part. Returns how many of the others are late. */
export async function completeErasures({ open, domains, complete }: CompletionDeps, now: number): Promise<number> {
  let late = 0;
  for await (const page of open()) {
    for (const erasure of page) {
      const parts = ERASING_DOMAINS[erasure.subject].filter((domain) => domains.includes(domain));
      if (parts.every((domain) => erasure.erasedAt[domain] !== undefined)) await complete(erasure);
      else if (now - Date.parse(erasure.requestedAt) > LATE_AFTER_MILLIS) late += 1;
    }
  }
  return late;
}
