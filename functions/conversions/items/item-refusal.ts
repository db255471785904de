import { Refusal } from '#shared/errors';

/** Why the service could not do what one item requests. All of these are content-level: they count against the quota. */
export const ITEM_ERRORS = [
  'unsupported-conversion',
  'unknown-unit',
  'incompatible-units',
  'unparseable-value',
  'ambiguous-value',
  'precision-out-of-range',
  'schema-invalid',
] as const;
export type ItemErrorCode = (typeof ITEM_ERRORS)[number];

/** What a caller can act on, besides the sentence. */
export interface ItemFacts {
  /** What the caller may have meant, ready to be sent instead. */
  readonly suggestion?: string;
  /** The readings that an ambiguous value has. */
  readonly candidates?: readonly string[];
  /** JSON pointer into the item, where it is not plain from the sentence. */
  readonly pointer?: string;
}

/** An item that cannot be worked on: 422 when it is sent alone, an error in its place within a batch. */
export class ItemRefusal extends Refusal {
  declare readonly code: ItemErrorCode;
  readonly facts: ItemFacts;

  constructor(code: ItemErrorCode, detail: string, facts: ItemFacts = {}) {
    super(422, code, detail);
    this.facts = facts;
  }
}
