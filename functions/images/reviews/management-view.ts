import { parseExactly } from '#shared/formats/exact-json';
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
import { mayExamineAgain } from './examine-again.ts';
import { presentCount } from './review-request.ts';

const presentLine = <Line extends ReviewLine>({ price, ...line }: Line) => ({ ...line, price: amountText(price) });

/** The fingerprint is omitted because it means nothing outside the service. */
const presentReview = ({ requestedAt, until, doubts, proposal }: Review) => ({
  requestedAt,
  until,
  doubts: doubts.map(({ reason, code }) => ({ reason, code })),
  proposal: proposal && {
    ...proposal,
    results: proposal.results.map(presentLine),
  },
});

/**
 * A validation as lists of the management API show it.
 * @param claim the live claim
 */
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
  points: validation.points,
  createdAt: validation.createdAt,
  updatedAt: validation.updatedAt,
});

export interface ListedValidation {
  readonly validation: Validation;
  readonly claim: Claim | undefined;
}

/** @param counted at most `COUNTED_MAX` + 1; undefined if the caller did not ask for a count */
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

/** A person's decision, with the text of its code. */
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

/** A validation and the decision that was just made about it. */
export const presentReviewed = ({ validation, decision }: ReviewedValidation) => ({
  ...presentValidation(validation),
  decision: presentDecision(decision, validation),
});

/** An image of a validation, with its link and examination as far as they exist. */
export interface ImageView {
  readonly image: SubmittedImage;
  /** A link to the picture; absent until it is stored. */
  readonly url?: string | undefined;
  /** Absent until the image is examined. */
  readonly examination?: ExaminationView | undefined;
}

const presentImage = ({ image, url, examination }: ImageView) => ({
  id: image.id,
  mimeType: image.mimeType,
  ...(isStored(image)
    ? { format: image.format, bytes: image.bytes, sha256: image.sha256 }
    : { uploadRefusal: image.refused }),
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

/** A validation with everything that a reviewer needs. `reading` is that of the first image with a receipt. */
export function presentForReview({ validation, review, images, now }: ReviewMaterial) {
  const imageViews = images.map(presentImage);
  const claim = awaitsReview(validation) ? livingClaim(review, now) : undefined;
  const decision = review?.decision;
  return {
    ...presentValidation(validation, claim),
    decision: decision && presentDecision(decision, validation),
    canExamineAgain: mayExamineAgain({ validation, review, images }),
    reading: imageViews.find(({ reading }) => reading !== undefined)?.reading,
    images: imageViews,
  };
}
