import type { TenantKey } from '#shared/ids';
import { imageNameOf } from '../validations/picture-keys.ts';
import { isStored, type Validation } from '../validations/validation.ts';

/**
 * The values from which the pointers of one image are made: nothing else leads to them once the image and its examination
 * are gone.
 */
export interface Mark {
  readonly slot: string;
  readonly sha256?: string | undefined;
  readonly perceptualHash?: string | undefined;
}

/** A record to erase, and the marks of its images as far as an earlier pass has read them. */
export interface ErasureOfValidation extends TenantKey {
  readonly marks: readonly Mark[];
}

export interface ValidationErasureDeps {
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
  /** False if the record is no longer as it was read. */
  readonly removeRecord: (validation: Validation) => Promise<boolean>;
  /** Removes the review, which a person or the machine may have opened. */
  readonly removeReview: (key: TenantKey) => Promise<void>;
  readonly removePointers: (key: TenantKey, marks: readonly Mark[]) => Promise<void>;
  /** The marks that stored pictures and examinations of the record hold. */
  readonly storedMarks: (key: TenantKey) => Promise<readonly Mark[]>;
  /** Removes every object of the record: pictures, examinations, and uploads that have not been received. */
  readonly removeObjects: (key: TenantKey) => Promise<void>;
  /** Has the record erased once more, after the longest time that a function which has read it may still write. */
  readonly eraseAgainLater: (erasure: ErasureOfValidation) => Promise<void>;
}

/**
 * Erases a record with its pictures, what was read in them, its review, and the pointers by which other records find it.
 * What stays names nobody: digests of what was awarded, so that no receipt is awarded twice, and the amounts in the
 * ledger.
 *
 * A pass may be repeated, and may end anywhere: before it removes anything it has queued the next one, with the marks
 * that only this one can still read. The last pass finds no record and queues no other.
 */
export async function eraseValidation(
  deps: ValidationErasureDeps,
  { marks, ...key }: ErasureOfValidation,
): Promise<void> {
  for (;;) {
    const validation = await deps.validation(key);
    const all = mergedMarks([...marks, ...marksOf(validation), ...(await deps.storedMarks(key))]);
    if (validation) {
      await deps.eraseAgainLater({ ...key, marks: all });
      // An image that came meanwhile has marks of its own.
      if (!(await deps.removeRecord(validation))) continue;
    }
    await deps.removeReview(key);
    // Examinations are the only place where the perceptual hashes stand, so they go last.
    await deps.removePointers(key, all);
    await deps.removeObjects(key);
    return;
  }
}

const marksOf = (validation: Validation | undefined): Mark[] =>
  (validation?.images ?? []).filter(isStored).map(({ key, sha256 }) => ({ slot: imageNameOf(key), sha256 }));

/** One mark for each slot, with all that is known of it. */
function mergedMarks(marks: readonly Mark[]): Mark[] {
  const bySlot = Map.groupBy(marks, ({ slot }) => slot);
  return [...bySlot].map(([slot, same]) => ({
    slot,
    sha256: same.find(({ sha256 }) => sha256 !== undefined)?.sha256,
    perceptualHash: same.find(({ perceptualHash }) => perceptualHash !== undefined)?.perceptualHash,
  }));
}
