import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import { awaitsReview, type Validation } from '../validations/validation.ts';

/** Both triggers offer these variables to rules, in addition to the variables of every event. */
interface ValidationVariables extends Readonly<Record<string, unknown>> {
  readonly app: string;
  readonly customer: string;
  /** Null if the customer is anonymous or has no external id. */
  readonly customerExternalId: string | null;
  /** `receipt` or `image`. */
  readonly validationType: string;
  readonly campaignId: number;
  readonly campaignPermalink: string;
  readonly placementId: string | null;
  /** The client's own id for the submission. */
  readonly externalId: string | null;
  readonly submittedAt: string;
}

/** The variables of `Validation is decided`. */
interface ValidationDecided extends ValidationVariables {
  /** `valid` or `invalid`. */
  readonly status: string;
  /** Null if the status is `valid`. */
  readonly invalidCode: number | null;
  readonly invalidReason: string | null;
  /** Null if it was not found, or if the status is `invalid`. */
  readonly storeName: string | null;
  readonly receiptDate: string | null;
  /** Counts the lines of the receipt that count for the campaign. */
  readonly resultCount: number;
  readonly decidedAt: string;
}

/** The variables of `Review is needed`. */
interface ReviewNeeded extends ValidationVariables {
  /** The reasons why a person must look. */
  readonly doubts: readonly string[];
  readonly requestedAt: string;
  /** The service decides if there is no review by then. */
  readonly reviewUntil: string;
}

/**
 * The event that the current state of a validation causes; undefined if it causes none. Both events have one id per
 * validation, so repeating an announcement creates no second webhook.
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
