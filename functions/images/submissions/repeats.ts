import { createHash } from 'node:crypto';
import type { TenantKey } from '#shared/ids';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { isStored, type Validation } from '../validations/validation.ts';
import { isInline } from './requests/image-request.ts';
import type { SubmissionRequest } from './requests/submission-request.ts';

/** After this time, the same call creates another validation. */
const REPEATED_WITHIN_MILLIS = 86_400_000;

/** Identifies a call, so that its repetition is recognised. */
export interface RequestMark extends TenantKey {
  /** Digest of the `Idempotency-Key`, or of the body. */
  readonly digest: string;
  readonly bodyDigest: string;
  readonly isKeyed: boolean;
}

/** The earlier call that created a validation. */
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
 * The mark of a call that may be repeated: it has a key, or the client named all its images. Undefined for other calls,
 * whose repetition is another submission.
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

/** Lists everything that a body says, with hashes instead of the images' bytes. */
function bodyOf(request: SubmissionRequest): unknown[] {
  const images = request.images.map((image) =>
    isInline(image)
      ? [image.id, createHash('sha256').update(image.bytes).digest('hex')]
      : [image.id, image.mimeType, image.size],
  );
  const { validationType, campaignPermalink, placementId, externalId, imageCount, data } = request;
  return [validationType, campaignPermalink, placementId, externalId, imageCount, data, images];
}

/** The validation that an earlier call with this mark created, and the id that a new one would replace. */
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

/** A client that has uploaded an image received the answer, and upload bodies can be equal for different images. */
function hasUpload({ images }: Validation, request: SubmissionRequest): boolean {
  const expected = new Set(request.images.filter((image) => !isInline(image)).map(({ id }) => id));
  return images.some((image) => expected.has(image.id) && isStored(image));
}
