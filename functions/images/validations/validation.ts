import type { TenantKey } from '#shared/ids';
import type { ValidationType } from '#shared/loyalty/invalid-codes';
import type { PictureFormat } from '../pictures/format.ts';

/** Specification 002, section 3. A record that a person must look at is `pending`. */
export type Status = 'incomplete' | 'pending' | 'valid' | 'invalid';
export const STATUSES = ['incomplete', 'pending', 'valid', 'invalid'] as const satisfies readonly Status[];

/** Larger images are refused: specification 002, section 8. */
export const IMAGE_BYTES_MAX = 10 * 1024 * 1024;

/** An image whose bytes are stored. */
export interface StoredImage {
  /** The client's own id for it, or one of ours. */
  readonly id: string;
  /** The type by its content, whatever the client declared. */
  readonly mimeType: string;
  readonly format: PictureFormat;
  readonly bytes: number;
  /** Of its bytes, in hex. */
  readonly sha256: string;
  /** Its key in the bucket. */
  readonly key: string;
}

/** An image that the client is about to upload. */
export interface ExpectedImage {
  readonly id: string;
  /** As declared. */
  readonly mimeType: string;
  /** As declared: its upload link takes no other size. */
  readonly bytes?: number | undefined;
  /** The key that its upload link writes to. */
  readonly uploadKey: string;
  /** Why the last upload was not taken. */
  readonly refused?: UploadRefusal | undefined;
}

/** `no-image`: none of the formats that are taken. */
export type UploadRefusal = 'too-large' | 'no-image';

export type SubmittedImage = StoredImage | ExpectedImage;

export const isStored = (image: SubmittedImage): image is StoredImage => 'key' in image;

/** One line of a receipt that counts for the campaign. */
export interface ResultLine {
  /** The id of the validation and the number of the line, with a hyphen between them. */
  readonly id: string;
  /** The product's UPC, or its name. */
  readonly name: string;
  /** As the receipt prints it. */
  readonly description: string;
  /** Paid for the line, in hundredths of the currency. */
  readonly price: number;
  readonly quantity: number;
  readonly points: number;
}

/** Why a person must look, and the code that applies if nobody does in time. */
export interface DoubtfulFinding {
  readonly reason: string;
  readonly code: number;
  /** Another record, whose verdict may end the doubt: if it is refused, or if it is awarded for what is surely the same. */
  readonly waitsFor?: { readonly validation: string; readonly isSame: boolean } | undefined;
}

/** What a receipt is recognised by if it is photographed again. */
export interface Fingerprint {
  /** In hex. */
  readonly digest: string;
  /** The number of the transaction, if it was read. */
  readonly transaction?: string | undefined;
}

/** What a receipt says of the one purchase that it is about. */
export interface Purchase {
  readonly store?: string | undefined;
  readonly date?: string | undefined;
  readonly time?: string | undefined;
  readonly transaction?: string | undefined;
  /** In hundredths of the currency. */
  readonly total?: number | undefined;
}

/** What a valid record shows. */
export interface Award {
  readonly storeName?: string | undefined;
  readonly receiptDate?: string | undefined;
  readonly results: readonly ResultLine[];
}

export interface Review {
  readonly requestedAt: string;
  /** Without a verdict until then, the first doubt decides. */
  readonly until: string;
  readonly doubts: readonly DoubtfulFinding[];
  /** What counts if the reviewer finds the record valid and states nothing else. */
  readonly proposal?: Award | undefined;
  readonly fingerprint?: Fingerprint | undefined;
}

export interface Validation extends TenantKey {
  /** An integer, as decimal text. */
  readonly id: string;
  /** Counts its changes. */
  readonly revision: number;
  readonly app: string;
  /** The customer's id; of an anonymous one, that of its token. */
  readonly customer: string;
  /** What an outside system calls the customer. */
  readonly customerExternalId?: string | undefined;
  readonly anonymous: boolean;
  readonly validationType: ValidationType;
  readonly campaignId: number;
  readonly campaignPermalink: string;
  readonly placementId?: string | undefined;
  readonly externalId?: string | undefined;
  /** The client's free-form hash, as JSON text. */
  readonly data?: string | undefined;
  readonly status: Status;
  readonly imageCount: number;
  readonly images: readonly SubmittedImage[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Present while a person is to look at it, and afterwards. */
  readonly review?: Review | undefined;
  /** How often the workflow was started once more for it. */
  readonly restarts: number;
  readonly invalidCode?: number | undefined;
  readonly invalidReason?: string | undefined;
  readonly storeName?: string | undefined;
  /** A day: `2018-03-05`. */
  readonly receiptDate?: string | undefined;
  readonly results?: readonly ResultLine[] | undefined;
}

/** What a record is decided to be. */
export type Verdict =
  | ({ readonly outcome: 'valid' } & Award)
  | { readonly outcome: 'invalid'; readonly code: number; readonly reason: string };

/** A pending record that is waiting for a person. */
export const awaitsReview = ({ status, review }: Validation): boolean => status === 'pending' && review !== undefined;

/** The record with its images, pending as soon as all that it is to have are stored. */
export function withImages(before: Validation, images: readonly SubmittedImage[], at: string): Validation {
  const complete = images.length >= before.imageCount && images.every(isStored);
  return { ...changed(before, at), images, status: complete ? 'pending' : 'incomplete' };
}

export function withReview(before: Validation, review: Review): Validation {
  return { ...changed(before, review.requestedAt), review };
}

/** The record as it is when its workflow is started once more. */
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
