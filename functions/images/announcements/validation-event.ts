import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import { awaitsReview, type Validation } from '../validations/validation.ts';

/** The variables that rules of both triggers may use, besides those of every event. */
interface ValidationVariables extends Readonly<Record<string, unknown>> {
  readonly app: string;
  readonly customer: string;
  /** Null: of an anonymous customer, or of one without an external id. */
  readonly customerExternalId: string | null;
  /** `receipt` or `image`. */
  readonly validationType: string;
  readonly campaignId: number;
  readonly campaignPermalink: string;
  readonly placementId: string | null;
  /** What the client calls the record. */
  readonly externalId: string | null;
  readonly submittedAt: string;
}

/** The variables of `Validation is decided`. */
interface ValidationDecided extends ValidationVariables {
  /** `valid` or `invalid`. */
  readonly status: string;
  /** Null: of a valid record. */
  readonly invalidCode: number | null;
  readonly invalidReason: string | null;
  /** Null: not found, or of an invalid record. */
  readonly storeName: string | null;
  readonly receiptDate: string | null;
  /** How many lines of the receipt count for the campaign. */
  readonly resultCount: number;
  readonly decidedAt: string;
}

/** The variables of `Review is needed`. */
interface ReviewNeeded extends ValidationVariables {
  /** Why a person must look. */
  readonly doubts: readonly string[];
  readonly requestedAt: string;
  /** Without a verdict until then, the service decides. */
  readonly reviewUntil: string;
}

/**
 * The event that a record tells of as it is now; undefined if there is none. Each of the two has one id for a record:
 * told twice, it counts once.
 */
export function validationEvent(validation: Validation): WebhookTrigger | undefined {
  const { status, updatedAt, review } = validation;
  if (status === 'valid' || status === 'invalid') {
    return event(validation, { suffix: 'decided', trigger: 'Validation is decided', time: updatedAt }, {
      ...variablesOf(validation),
      status,
      invalidCode: validation.invalidCode ?? null,
      invalidReason: validation.invalidReason ?? null,
      storeName: validation.storeName ?? null,
      receiptDate: validation.receiptDate ?? null,
      resultCount: validation.results?.length ?? 0,
      decidedAt: updatedAt,
    } satisfies ValidationDecided);
  }
  if (!review || !awaitsReview(validation)) return undefined;
  return event(validation, { suffix: 'review', trigger: 'Review is needed', time: review.requestedAt }, {
    ...variablesOf(validation),
    doubts: review.doubts.map(({ reason }) => reason),
    requestedAt: review.requestedAt,
    reviewUntil: review.until,
  } satisfies ReviewNeeded);
}

interface EventHeader {
  readonly suffix: string;
  readonly trigger: string;
  readonly time: string;
}

const event = (
  { tenant, id }: Validation,
  { suffix, trigger, time }: EventHeader,
  data: WebhookTrigger['data'],
): WebhookTrigger => ({
  tenant,
  id: `images-${id}-${suffix}`,
  module: 'images',
  trigger,
  recordType: 'image validation',
  recordId: id,
  data,
  time,
});

const variablesOf = (validation: Validation): ValidationVariables => ({
  app: validation.app,
  customer: validation.customer,
  customerExternalId: validation.customerExternalId ?? null,
  validationType: validation.validationType,
  campaignId: validation.campaignId,
  campaignPermalink: validation.campaignPermalink,
  placementId: validation.placementId ?? null,
  externalId: validation.externalId ?? null,
  submittedAt: validation.createdAt,
});
