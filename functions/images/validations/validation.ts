import type { TenantKey } from '#shared/ids';
import type { ValidationType } from '#shared/loyalty/invalid-codes';
import type { Origin } from '#shared/telemetry/origin';
import type { PictureFormat } from '../pictures/format.ts';

/** The states of a validation: see "Status" in the README. A validation that awaits a review is `pending`. */
export type Status = 'incomplete' | 'pending' | 'valid' | 'invalid';
export const STATUSES = ['incomplete', 'pending', 'valid', 'invalid'] as const satisfies readonly Status[];

/** Larger images are refused. */
export const IMAGE_BYTES_MAX = 10 * 1024 * 1024;

/** An image with stored bytes. */
export interface StoredImage {
  /** The client's id for the image, or a generated one. */
  readonly id: string;
  /** The type that the content shows, whatever the client declared. */
  readonly mimeType: string;
  readonly format: PictureFormat;
  readonly bytes: number;
  /** The hash of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** The key in the bucket. */
  readonly key: string;
}

/** An image that the client has yet to upload. */
export interface ExpectedImage {
  readonly id: string;
  /** The type that the client declared. */
  readonly mimeType: string;
  /** The size that the client declared. The upload link accepts no other size. */
  readonly bytes?: number | undefined;
  /** The key that its upload link writes to. */
  readonly uploadKey: string;
  /** The reason why the last upload was refused. */
  readonly refused?: UploadRefusal | undefined;
}

/** `no-image`: the file has none of the supported formats. */
export type UploadRefusal = 'too-large' | 'no-image';

export type SubmittedImage = StoredImage | ExpectedImage;

export const isStored = (image: SubmittedImage): image is StoredImage => 'key' in image;

/** A receipt line that counts for the campaign. */
export interface ResultLine {
  /** The id of the validation, a hyphen, and the number of the line. */
  readonly id: string;
  /** The product's UPC, or its name. */
  readonly name: string;
  /** The text that the receipt prints. */
  readonly description: string;
  /** The price of the line, in hundredths of the currency. */
  readonly price: number;
  readonly quantity: number;
  readonly points: number;
}

/** A reason for a review, and the code that applies if nobody decides in time. */
export interface DoubtfulFinding {
  readonly reason: string;
  readonly code: number;
  /**
   * Another validation whose verdict may settle the finding: a refusal removes it, an award for certainly the same
   * thing confirms it.
   */
  readonly waitsFor?: { readonly validation: string; readonly isSame: boolean } | undefined;
}

/** Identifies a receipt across photographs. */
export interface Fingerprint {
  /** The digest is in hexadecimal. */
  readonly digest: string;
  /** The transaction number, if it was read. */
  readonly transaction?: string | undefined;
}

/** The purchase that a receipt documents. */
export interface Purchase {
  readonly store?: string | undefined;
  readonly date?: string | undefined;
  readonly time?: string | undefined;
  readonly transaction?: string | undefined;
  /** The total in hundredths of the currency. */
  readonly total?: number | undefined;
}

/** The members that only a valid validation shows. */
export interface Award {
  readonly storeName?: string | undefined;
  readonly receiptDate?: string | undefined;
  readonly results: readonly ResultLine[];
}

export interface Review {
  readonly requestedAt: string;
  /** If there is no review by then, the first finding decides. */
  readonly until: string;
  readonly doubts: readonly DoubtfulFinding[];
  /** The award, if the reviewer accepts the validation and states nothing else. */
  readonly proposal?: Award | undefined;
  readonly fingerprint?: Fingerprint | undefined;
}

/** Its `origin` is the trace of the call that submitted it. */
export interface Validation extends TenantKey, Origin {
  /** An integer, as decimal text. */
  readonly id: string;
  /** The revision increments with each change. */
  readonly revision: number;
  readonly app: string;
  /** The customer's id; for an anonymous customer, the id of its token. */
  readonly customer: string;
  /** The customer's id in an outside system. */
  readonly customerExternalId?: string | undefined;
  readonly anonymous: boolean;
  readonly validationType: ValidationType;
  readonly campaignId: number;
  readonly campaignPermalink: string;
  readonly placementId?: string | undefined;
  readonly externalId?: string | undefined;
  /** The client's free-form object, as JSON text. */
  readonly data?: string | undefined;
  readonly status: Status;
  readonly imageCount: number;
  readonly images: readonly SubmittedImage[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Present while a review is requested, and afterwards. */
  readonly review?: Review | undefined;
  /** Counts the restarts of the workflow. */
  readonly restarts: number;
  readonly invalidCode?: number | undefined;
  readonly invalidReason?: string | undefined;
  readonly storeName?: string | undefined;
  /** A day such as `2018-03-05`. */
  readonly receiptDate?: string | undefined;
  readonly results?: readonly ResultLine[] | undefined;
  /** The points that the customer was awarded, for the validation and its lines together. */
  readonly points?: number | undefined;
}

/** The result of a validation. */
export type Verdict =
  | ({ readonly outcome: 'valid' } & Award)
  | { readonly outcome: 'invalid'; readonly code: number; readonly reason: string };

/** A pending validation that is waiting for a person. */
export const awaitsReview = ({ status, review }: Validation): boolean => status === 'pending' && review !== undefined;

/** The validation with these images. It becomes pending when all expected images are stored. */
export function withImages(before: Validation, images: readonly SubmittedImage[], at: string): Validation {
  const complete = images.length >= before.imageCount && images.every(isStored);
  return { ...changed(before, at), images, status: complete ? 'pending' : 'incomplete' };
}

export function withReview(before: Validation, review: Review): Validation {
  return { ...changed(before, review.requestedAt), review };
}

/** The validation with one more restart of its workflow. */
export const restarted = (before: Validation, at: string): Validation => ({
  ...changed(before, at),
  restarts: before.restarts + 1,
});

export function decided(before: Validation, verdict: Verdict, at: string): Validation {
  const after = changed(before, at);
  if (verdict.outcome === 'invalid') {
    return { ...after, status: 'invalid', invalidCode: verdict.code, invalidReason: verdict.reason };
  }
  const { storeName, receiptDate, results } = verdict;
  return { ...after, status: 'valid', storeName, receiptDate, results };
}

const changed = (before: Validation, at: string): Validation => ({
  ...before,
  revision: before.revision + 1,
  updatedAt: at,
});
