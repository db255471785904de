import { INVALID_REASONS, type InvalidCode } from '#shared/loyalty/invalid-codes';
import type { DoubtfulFinding } from '../validations/validation.ts';

/** Something that speaks against a record. */
export interface Finding {
  readonly code: InvalidCode;
  /** Refuses the record by itself. Otherwise a person must look. */
  readonly certain: boolean;
  /** For the reviewer: what was found, in a few words. */
  readonly reason: string;
  readonly waitsFor?: DoubtfulFinding['waitsFor'];
}

export const certain = (code: InvalidCode, reason: string = INVALID_REASONS[code]): Finding => ({
  code,
  certain: true,
  reason,
});

export const doubtful = (code: InvalidCode, reason: string): Finding => ({ code, certain: false, reason });
