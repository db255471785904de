import type { ConfigurationKey } from '../runs/run.ts';
import type { Load } from './admission.ts';

const FULL_MILLIS = 1_000;
const KNOWN_MAX = 1_000;

/**
 * Configurations that were full a moment ago, so that thousands of runs of one do not try its item as often. A refused
 * write costs as much as a successful one.
 */
export class KnownFull {
  private readonly known = new Map<string, { readonly load: Load; readonly until: number }>();

  of(key: ConfigurationKey, now: number): Load | undefined {
    const found = this.known.get(nameOf(key));
    return found && found.until > now ? found.load : undefined;
  }

  note(key: ConfigurationKey, load: Load, now: number): void {
    if (this.known.size >= KNOWN_MAX) this.known.clear();
    this.known.set(nameOf(key), { load, until: now + FULL_MILLIS });
  }

  noteParking(key: ConfigurationKey, now: number): void {
    const found = this.known.get(nameOf(key));
    if (found) this.known.set(nameOf(key), { ...found, load: { ...found.load, parkedAt: now } });
  }

  forget(key: ConfigurationKey): void {
    this.known.delete(nameOf(key));
  }
}

const nameOf = ({ tenant, configurationId }: ConfigurationKey) => `${tenant}#${configurationId}`;
