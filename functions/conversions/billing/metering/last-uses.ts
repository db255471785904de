import { LRUCache } from 'lru-cache';
import { isoTime } from '#shared/formats/timestamp';
import { log } from '#shared/telemetry/log';
import type { Caller } from './admission.ts';

const HOUR_MILLIS = 3_600_000;
const CREDENTIALS_MAX = 10_000;

/** A use of a credential, and the beginning of its hour, as ISO 8601. */
interface Use {
  readonly at: string;
  readonly hour: string;
}

/** Stores a use, unless one of this hour or a later one is stored. */
export type WriteLastUse = (credentialId: string, use: Use) => Promise<void>;

/**
 * Notes the first use of a credential in each hour: a write for each request would double its cost. A function tries once an
 * hour for a credential, and only the first of all functions changes the item. A write that fails is not repeated
 * before the next hour.
 */
export class LastUses {
  private readonly noted = new LRUCache<string, number>({ max: CREDENTIALS_MAX });
  private readonly write: WriteLastUse;
  private readonly now: () => number;

  /** @param now milliseconds */
  constructor(write: WriteLastUse, now: () => number) {
    this.write = write;
    this.now = now;
  }

  /** Never fails. */
  async note({ credentialId }: Pick<Caller, 'credentialId'>): Promise<void> {
    const now = this.now();
    const hour = Math.floor(now / HOUR_MILLIS);
    if (this.noted.get(credentialId) === hour) return;
    // Noted before the write, so that concurrent requests and an outage cause one call.
    this.noted.set(credentialId, hour);
    try {
      await this.write(credentialId, { at: isoTime(now), hour: isoTime(hour * HOUR_MILLIS) });
    } catch (error) {
      log.warn('the last use of a credential was not stored', { error });
    }
  }
}
