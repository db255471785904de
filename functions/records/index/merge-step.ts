import type { RecordType } from '../schemas/schema.ts';
import type { MergeMode } from './index-merge.ts';
import type { Manifests } from './manifest.ts';

/** Work for the merges of one record type. */
export interface MergeMessage {
  readonly type: RecordType;
  /** Set when a merge waits for quiet: the version of the manifest that must still be the current one. */
  readonly quietSince?: number | undefined;
}

interface MergeStepDeps {
  readonly index: Pick<Manifests, 'current'>;
  /** Returns the version of the manifest that the merge has made; undefined if nothing was merged. */
  readonly merge: (type: RecordType, mode: MergeMode) => Promise<number | undefined>;
  readonly send: (message: MergeMessage, delay: { readonly delaySeconds?: number }) => Promise<void>;
}

/** The index is quiet if no import has added a segment for this long: as long as a message can be delayed. */
const QUIET_SECONDS = 900;

/**
 * Merges once, because a large merge takes most of the time of a function, and sends what is to be done next. A message
 * that waited for quiet does nothing when the index has changed: the change has a message of its own.
 * @returns whether segments were merged
 */
export async function mergeStep(deps: MergeStepDeps, { type, quietSince }: MergeMessage): Promise<boolean> {
  const currentVersion = async () => (await deps.index.current(type)).version;
  if (quietSince === undefined) {
    const merged = await deps.merge(type, 'busy');
    if (merged !== undefined) await deps.send({ type }, {});
    else await deps.send({ type, quietSince: await currentVersion() }, { delaySeconds: QUIET_SECONDS });
    return merged !== undefined;
  }
  if ((await currentVersion()) !== quietSince) return false;
  // The version of the merge itself: an import may have changed the index again since.
  const merged = await deps.merge(type, 'quiet');
  if (merged !== undefined) await deps.send({ type, quietSince: merged }, {});
  return merged !== undefined;
}
