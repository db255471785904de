import type { EventData } from '#shared/events/built-in-events';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import { awaitsReview, type Validation } from '../validations/validation.ts';

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
    } satisfies EventData<'images', 'Validation is decided'>);
  }
  if (!review || !awaitsReview(validation)) return undefined;
  return event(validation, { suffix: 'review', trigger: 'Review is needed', time: review.requestedAt }, {
    ...variablesOf(validation),
    doubts: review.doubts.map(({ reason }) => reason),
    requestedAt: review.requestedAt,
    reviewUntil: review.until,
  } satisfies EventData<'images', 'Review is needed'>);
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

/** The variables of both triggers. */
const variablesOf = (validation: Validation) => ({
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
