import { createHash } from 'node:crypto';
import type { TenantKey } from '#shared/ids';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { isStored, type Validation } from '../validations/validation.ts';
import { isInline } from './requests/image-request.ts';
import type { SubmissionRequest } from './requests/submission-request.ts';

/** After it, the same call makes another record. */
const REPEATED_WITHIN_MILLIS = 86_400_000;

/** What makes two calls of a customer one submission. */
export interface RequestMark extends TenantKey {
  /** Of the `Idempotency-Key`, or of the body. */
  readonly digest: string;
  readonly bodyDigest: string;
  readonly isKeyed: boolean;
}

/** The call that made a record. */
export interface EarlierRequest {
  readonly validation: string;
  readonly bodyDigest: string;
  readonly at: number;
}

export interface RepeatDeps {
  readonly earlierRequest: (mark: RequestMark) => Promise<EarlierRequest | undefined>;
  readonly validation: (key: TenantKey) => Promise<Validation | undefined>;
}

interface Caller {
  readonly tenant: string;
  readonly customer: string;
  readonly app: string;
}

/**
 * The mark of a call that may be sent again because its answer was lost: it has a key, or the client has named all of
 * its images. Undefined for others: who sends an image again without a name for it submits it twice.
 */
export function markOf(
  { tenant, customer: id, app }: Caller,
  request: SubmissionRequest,
  idempotencyKey: string | undefined,
): RequestMark | undefined {
  const isKeyed = idempotencyKey !== undefined;
  if (!isKeyed && request.images.some((image) => image.id === undefined)) return undefined;
  const bodyDigest = digestOf(bodyOf(request));
  return { tenant, id, digest: digestOf([app, isKeyed, idempotencyKey ?? bodyDigest]), bodyDigest, isKeyed };
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** All that a body says, the bytes of its images by their hash. */
function bodyOf(request: SubmissionRequest): unknown[] {
  const images = request.images.map((image) =>
    isInline(image)
      ? [image.id, createHash('sha256').update(image.bytes).digest('hex')]
      : [image.id, image.mimeType, image.size],
  );
  const { validationType, campaignPermalink, placementId, externalId, imageCount, data } = request;
  return [validationType, campaignPermalink, placementId, externalId, imageCount, data, images];
}

/** The record that the call has made already, and the earlier call, which a new record replaces. */
export async function firstValidation(
  deps: RepeatDeps,
  mark: RequestMark,
  { request, now }: { readonly request: SubmissionRequest; readonly now: number },
): Promise<{ readonly validation?: Validation | undefined; readonly replaced?: string }> {
  const earlier = await deps.earlierRequest(mark);
  if (!earlier) return {};
  const replaced = earlier.validation;
  if (earlier.at + REPEATED_WITHIN_MILLIS <= now) return { replaced };
  if (earlier.bodyDigest !== mark.bodyDigest) {
    throw loyaltyError('argument_error', 'This Idempotency-Key came with another body before.');
  }
  const validation = await deps.validation({ tenant: mark.tenant, id: earlier.validation });
  const isRepeat = validation && (mark.isKeyed || !hasUpload(validation, request));
  return isRepeat ? { validation, replaced } : { replaced };
}

/** A client that has uploaded has had the answer: bodies of uploads are the same for different images. */
function hasUpload({ images }: Validation, request: SubmissionRequest): boolean {
  const expected = new Set(request.images.filter((image) => !isInline(image)).map(({ id }) => id));
  return images.some((image) => expected.has(image.id) && isStored(image));
}
