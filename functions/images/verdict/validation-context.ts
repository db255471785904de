import type { Campaign } from '../campaigns/campaign.ts';
import type { Validation } from '../validations/validation.ts';

/** Counts how often a campaign has been awarded. */
export interface AwardCounts {
  readonly ofCustomer: number;
  /** Null if the campaign has no limit: nothing is counted then. */
  readonly total: number | null;
}

/** Everything that a validation is judged by besides its images. */
export interface ValidationContext {
  readonly validation: Pick<Validation, 'id' | 'validationType' | 'createdAt'>;
  readonly campaign: Campaign;
  readonly awards: AwardCounts;
  /** Stores whose loyalty card the customer has linked. The card already rewards purchases there. */
  readonly linkedStores: readonly string[];
}

/** Another validation with the same image, or with a receipt that looks or reads the same. */
export interface Duplicate {
  readonly validation: string;
  /**
   * `bytes`: the same file; `perceptualHash`: the same picture, saved again; `content`: a receipt with the same store, time
   * and total.
   */
  readonly by: 'bytes' | 'perceptualHash' | 'content';
  /** True if nothing contradicts the match. Otherwise a person must look. */
  readonly certain: boolean;
  /** True while the other validation is undecided: until then it gives rise to a doubtful finding only. */
  readonly undecided: boolean;
}
