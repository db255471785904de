import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { PlaceInput } from './place.ts';

/**
 * Writes places, possibly late and repeatedly, as imports do. Versions order all writes of a place: an older write
 * after a newer one does nothing, and a repeated write changes nothing.
 */
export interface PlaceWrites {
  store(place: PlaceInput, version: string): Promise<void>;
  remove(key: TenantKey, version: string): Promise<void>;
}

/** A version starts with the time of the write (ISO 8601), which orders it among those of other requests and files. */
export const versionOf = (at: string, detail: string): string => `${at}#${detail}`;

/**
 * The version, or the same one a millisecond after `before` if it is not later, because clocks differ. No two writes
 * may get the same version: a write that meets its own version counts as repeated.
 */
export function laterVersion(version: string, before: string): string {
  if (version > before) return version;
  const detail = version.slice(version.indexOf('#') + 1);
  return versionOf(isoTime(Date.parse(timeOfVersion(before)) + 1), detail);
}

export const timeOfVersion = (version: string): string => version.slice(0, version.indexOf('#'));
