import { cachedLookups } from '#shared/cached-lookups';
import { RECORD_TYPES } from '../schemas/schema.ts';
import type { Manifest, Manifests } from './manifest.ts';

/** A preview sees an import at most this much later. */
export const RECENT_MILLIS = 250;

/**
 * Remembers the current manifests for a moment. All tenants search by one item for each record type, which DynamoDB
 * reads 3,000 times a second at most; each copy of a function now reads it four times. Only for those who show records:
 * who changes the index, or pins it for a download, must read the current manifest.
 */
export function recentManifests(index: Pick<Manifests, 'current'>, now: () => number): Pick<Manifests, 'current'> {
  const lookup = cachedLookups<Manifest>({ max: RECORD_TYPES.length, millis: RECENT_MILLIS });
  return {
    async current(type) {
      const manifest = await lookup(type, now(), () => index.current(type));
      if (manifest === undefined) throw new Error(`There is no manifest of ${type}.`);
      return manifest;
    },
  };
}
