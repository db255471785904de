import type { Campaign } from '../campaigns/campaign.ts';
import type { Validation } from '../validations/validation.ts';

/** How often a campaign has been awarded. */
export interface AwardCounts {
  readonly ofCustomer: number;
  readonly total: number;
}

/** What is known of a record before its images are looked at. */
export interface ValidationContext {
  readonly validation: Pick<Validation, 'id' | 'validationType' | 'createdAt'>;
  readonly campaign: Campaign;
  readonly awards: AwardCounts;
  /** Stores whose loyalty card the customer has linked: what is bought there is rewarded by the card. */
  readonly linkedStores: readonly string[];
}

/** Another record that has the same image, or one that says or looks the same. */
export interface Twin {
  readonly validation: string;
  /**
   * `bytes`: the very file; `likeness`: the picture, saved anew; `content`: a receipt with the same store, time and
   * total.
   */
  readonly by: 'bytes' | 'likeness' | 'content';
  /** Nothing speaks against it. Otherwise a person must look. */
  readonly certain: boolean;
  /** It is still to be decided. Until then it makes no duplicate, only a doubt. */
  readonly undecided: boolean;
}
