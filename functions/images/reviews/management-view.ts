import { parseExactly } from '#shared/exact-json';
import type { Page } from '#shared/http/page';
import { INVALID_REASONS, isCodeFor } from '#shared/loyalty/invalid-codes';
import {
  type Claim,
  livingClaim,
  type ReviewDecision,
  type ReviewItem,
  type ReviewLine,
} from '../validations/review.ts';
import {
  awaitsReview,
  isStored,
  type Review,
  type SubmittedImage,
  type Validation,
} from '../validations/validation.ts';
import { amountText } from './amount.ts';
import type { ReviewedValidation } from './decide.ts';
import { type ExaminationView, presentExamination, presentReading } from './examination-view.ts';
import { presentCount } from './review-request.ts';

const presentLine = <Line extends ReviewLine>({ price, ...line }: Line) => ({ ...line, price: amountText(price) });

/** The fingerprint stays inside: it is of no use to anyone who looks at one record. */
const presentReview = ({ requestedAt, until, doubts, proposal }: Review) => ({
  requestedAt,
  until,
  doubts: doubts.map(({ reason, code }) => ({ reason, code })),
  proposal: proposal && {
    ...proposal,
    results: proposal.results.map(presentLine),
  },
});

/** A record as lists of the management API show it. @param claim that lives */
const presentValidation = (validation: Validation, claim?: Claim) => ({
  id: Number(validation.id),
  revision: validation.revision,
  validationType: validation.validationType,
  status: validation.status,
  needsReview: awaitsReview(validation),
  campaignId: validation.campaignId,
  campaignPermalink: validation.campaignPermalink,
  app: validation.app,
  customer: validation.customer,
  customerExternalId: validation.customerExternalId,
  anonymous: validation.anonymous,
  placementId: validation.placementId,
  externalId: validation.externalId,
  data: validation.data === undefined ? undefined : parseExactly(validation.data),
  imageCount: validation.imageCount,
  review: validation.review && presentReview(validation.review),
  claim: claim && presentClaim(claim),
  invalidCode: validation.invalidCode,
  invalidReason: validation.invalidReason,
  storeName: validation.storeName,
  receiptDate: validation.receiptDate,
  results: validation.results?.map(presentLine),
  createdAt: validation.createdAt,
  updatedAt: validation.updatedAt,
});

export interface ListedValidation {
  readonly validation: Validation;
  readonly claim: Claim | undefined;
}

/** @param counted at most one more than `COUNTED_MAX`; undefined where nobody asked */
export const presentList = ({
  items,
  counted,
  ...rest
}: Page<ListedValidation> & { readonly counted: number | undefined }) => ({
  items: items.map(({ validation, claim }) => presentValidation(validation, claim)),
  ...rest,
  ...(counted !== undefined && { count: presentCount(counted) }),
});

export const presentClaim = ({ by, byName, until }: Claim) => ({ by, byName, until });

/** What a person has decided, with the words of its code. */
function presentDecision(decision: ReviewDecision, { validationType }: Validation) {
  const { by, at } = decision;
  if (decision.status === 'valid') {
    const { status, storeName, receiptDate, results } = decision;
    return { status, storeName, receiptDate, results: results?.map(presentLine), by, at };
  }
  const { status, invalidCode } = decision;
  const invalidReason = isCodeFor(validationType, invalidCode) ? INVALID_REASONS[invalidCode] : undefined;
  return { status, invalidCode, invalidReason, by, at };
}

/** A record and what a person has just decided about it. */
export const presentReviewed = ({ validation, decision }: ReviewedValidation) => ({
  ...presentValidation(validation),
  decision: presentDecision(decision, validation),
});

/** An image of a record, as far as there is anything of it. */
export interface ImageView {
  readonly image: SubmittedImage;
  /** A link to its bytes; absent while they are not stored. */
  readonly url?: string | undefined;
  /** Absent until it is examined. */
  readonly examination?: ExaminationView | undefined;
}

const presentImage = ({ image, url, examination }: ImageView) => ({
  id: image.id,
  mimeType: image.mimeType,
  ...(isStored(image) && { format: image.format, bytes: image.bytes, sha256: image.sha256 }),
  url,
  examination: examination && presentExamination(examination),
  reading: examination && presentReading(examination),
});

interface ReviewMaterial {
  readonly validation: Validation;
  readonly review: ReviewItem | undefined;
  readonly images: readonly ImageView[];
  readonly now: number;
}

/** A record with all that a reviewer needs. `reading` is that of the first image in which a receipt was read. */
export function presentForReview({ validation, review, images, now }: ReviewMaterial) {
  const imageViews = images.map(presentImage);
  const claim = awaitsReview(validation) ? livingClaim(review, now) : undefined;
  const decision = review?.decision;
  return {
    ...presentValidation(validation, claim),
    decision: decision && presentDecision(decision, validation),
    reading: imageViews.find(({ reading }) => reading !== undefined)?.reading,
    images: imageViews,
  };
}
