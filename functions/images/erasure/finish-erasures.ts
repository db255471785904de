import { type ErasureOfValidation, eraseValidation, type ValidationErasureDeps } from './erase-validation.ts';

interface DueErasure extends ErasureOfValidation {
  /** Takes it off the list. */
  readonly settle: () => Promise<void>;
}

export interface DueErasures {
  /** The oldest first. */
  readonly due: (now: number) => AsyncIterable<DueErasure>;
}

export interface FinishingDeps {
  readonly erasures: DueErasures;
  readonly validation: ValidationErasureDeps;
  readonly failed: (erasure: ErasureOfValidation, error: unknown) => void;
}

/**
 * Erases every record once more whose first pass is long enough ago. One that fails stays on the list, and keeps the
 * others from nothing. Returns how many were erased.
 */
export async function finishErasures({ erasures, validation, failed }: FinishingDeps, now: number): Promise<number> {
  let finished = 0;
  for await (const { settle, ...erasure } of erasures.due(now)) {
    try {
      await eraseValidation(validation, erasure);
      await settle();
      finished += 1;
    } catch (error) {
      failed(erasure, error);
    }
  }
  return finished;
}
