import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import type { StatedPlace } from './place.ts';

/**
 * Writes of places that may come late and more than once, as those of an import do. All writes of one place are in
 * order of their versions: an older one after a newer one does nothing, and the same one again changes nothing.
 */
export interface PlaceWrites {
  store(place: StatedPlace, version: string): Promise<void>;
  remove(key: TenantKey, version: string): Promise<void>;
}

/** The version of a write begins with its time (ISO 8601), which orders it among those of other requests and files. */
export const versionOf = (at: string, detail: string): string => `${at}#${detail}`;

/**
 * The version, or the same one a millisecond after `before` if it is not later: the clock may be behind the one that
 * `before` was made by. No two writes get the same version, because a write takes its own for a write that was repeated.
 */
export function laterVersion(version: string, before: string): string {
  if (version > before) return version;
  const detail = version.slice(version.indexOf('#') + 1);
  return versionOf(isoTime(Date.parse(timeOfVersion(before)) + 1), detail);
}

export const timeOfVersion = (version: string): string => version.slice(0, version.indexOf('#'));
