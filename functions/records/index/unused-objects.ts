import type { RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { type Manifest, type Manifests, SEGMENTS_READABLE_DAYS } from './manifest.ts';

const DAY_MILLIS = 86_400_000;

export interface StoredObject {
  /** `{id}.seg`, `{id}.meta`, `{id}.tomb` or `{id}.ids`. */
  readonly key: string;
  readonly modifiedAt: Date;
}

export interface SweepDeps {
  readonly index: Pick<Manifests, 'readableSince'>;
  /** All objects of the index, in pages. */
  list(): AsyncIterable<readonly StoredObject[]>;
  remove(keys: readonly string[]): Promise<void>;
}

/**
 * Removes the objects that no manifest of the last `SEGMENTS_READABLE_DAYS` names. Younger objects are never removed: a
 * writer puts its objects first and names them in a manifest later. Objects left behind by a crash are removed the same
 * way.
 */
export async function removeUnusedObjects(deps: SweepDeps, now: number): Promise<number> {
  const since = now - SEGMENTS_READABLE_DAYS * DAY_MILLIS;
  // The objects are listed before the manifests are read: objects that a manifest names in between are not in the
  // pages.
  const old: string[] = [];
  for await (const page of deps.list()) {
    for (const { key, modifiedAt } of page) if (modifiedAt.getTime() < since) old.push(key);
  }
  const types = Object.keys(SCHEMAS) as RecordType[];
  const manifests = await Promise.all(types.map((type) => deps.index.readableSince(type, since)));
  const named = new Set(manifests.flat().flatMap(objectsOf));
  const unused = old.filter((key) => !named.has(key.slice(0, key.lastIndexOf('.'))));
  await deps.remove(unused);
  return unused.length;
}

/** Ids of everything that a reader of a manifest may touch. */
const objectsOf = ({ segments }: Manifest): string[] =>
  segments.flatMap(({ id, tombstones }) => [id, ...(tombstones ? [tombstones.id] : [])]);
