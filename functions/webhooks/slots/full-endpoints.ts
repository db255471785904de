import type { ConfigurationKey } from '../runs/run.ts';
import type { Load } from './admission.ts';

const CACHED_MILLIS = 1_000;
const ENTRIES_MAX = 1_000;

/**
 * A cache of configurations that were full a moment ago, so that thousands of runs do not each try the same item. A
 * refused write costs as much as a successful one.
 */
export class FullEndpoints {
  private readonly entries = new Map<string, { readonly load: Load; readonly until: number }>();

  get(key: ConfigurationKey, now: number): Load | undefined {
    const entry = this.entries.get(nameOf(key));
    return entry && entry.until > now ? entry.load : undefined;
  }

  note(key: ConfigurationKey, load: Load, now: number): void {
    if (this.entries.size >= ENTRIES_MAX) this.entries.clear();
    this.entries.set(nameOf(key), { load, until: now + CACHED_MILLIS });
  }

  noteParking(key: ConfigurationKey, now: number): void {
    const entry = this.entries.get(nameOf(key));
    if (entry) this.entries.set(nameOf(key), { ...entry, load: { ...entry.load, parkedAt: now } });
  }

  forget(key: ConfigurationKey): void {
    this.entries.delete(nameOf(key));
  }
}

const nameOf = ({ tenant, configurationId }: ConfigurationKey) => `${tenant}#${configurationId}`;
