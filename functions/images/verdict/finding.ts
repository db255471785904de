import { INVALID_REASONS, type InvalidCode } from '#shared/loyalty/invalid-codes';
import type { DoubtfulFinding } from '../validations/validation.ts';

/** A reason against the validity of a submission. */
export interface Finding {
  readonly code: InvalidCode;
  /** A certain finding refuses the validation. A doubtful one needs a person. */
  readonly certain: boolean;
  /** A short text for the reviewer. */
  readonly reason: string;
  readonly waitsFor?: DoubtfulFinding['waitsFor'];
}

export const certain = (code: InvalidCode, reason: string = INVALID_REASONS[code]): Finding => ({
  code,
  certain: true,
  reason,
});

/** The same reason, for a person to judge. */
export const inDoubt = (finding: Finding): Finding => ({ ...finding, certain: false });

export const doubtful = (code: InvalidCode, reason: string): Finding => ({ code, certain: false, reason });
