import { Refusal } from '#shared/errors';

/** The codes of items that could not be processed. All are content errors, so they count against the quota. */
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

/** Machine-readable facts of an error, besides its text. */
export interface ItemFacts {
  /** The value that the caller probably meant, ready to be sent. */
  readonly suggestion?: string;
  /** The possible readings of an ambiguous value. */
  readonly candidates?: readonly string[];
  /** JSON pointer into the item, where the text does not name the member. */
  readonly pointer?: string;
}

/** An item that cannot be processed: a 422 when it is sent alone, an error in its place within a batch. */
export class ItemRefusal extends Refusal {
  declare readonly code: ItemErrorCode;
  readonly facts: ItemFacts;

  constructor(code: ItemErrorCode, detail: string, facts: ItemFacts = {}) {
    super(422, code, detail);
    this.facts = facts;
  }
}

/** Quotes a caller's text in a message. */
export const quoteForMessage = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
