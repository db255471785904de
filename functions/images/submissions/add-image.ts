import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { LoyaltyCaller } from '#shared/loyalty/loyalty-caller';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { type SubmittedImage, type Validation, withImages } from '../validations/validation.ts';
import { type NewPicture, newImage, withOneMore } from './new-images.ts';
import type { ImageRequest } from './requests/image-request.ts';
import { isPicture, submitter } from './submit.ts';

/** Reads and changes validations, with optimistic locking. */
export interface ChangingValidations {
  readonly byId: (key: TenantKey) => Promise<Validation | undefined>;
  /** False if the validation has changed since `before`. */
  readonly change: (after: Validation, before: Validation) => Promise<boolean>;
  /**
   * Waits so that other writers can finish.
   * @param attempt counts from 1
   */
  readonly pause: (attempt: number) => Promise<void>;
}

export interface AdditionDeps {
  readonly validations: ChangingValidations;
  readonly storePicture: (picture: NewPicture) => Promise<void>;
  readonly newImageName: () => string;
}

/** Each refused write means that another writer of the same validation succeeded. */
const ATTEMPTS_MAX = 30;

/**
 * Changes the images of a validation, and tries again if another writer was faster.
 * @param imagesAfter returns the same array if nothing is to change
 */
export async function changeImages(
  { byId, change, pause }: ChangingValidations,
  key: TenantKey,
  imagesAfter: (before: Validation) => readonly SubmittedImage[],
  now: number,
): Promise<Validation | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const before = await byId(key);
    if (!before) return undefined;
    const images = imagesAfter(before);
    if (images === before.images) return before;
    const after = withImages(before, images, isoTime(now));
    if (await change(after, before)) return after;
    await pause(attempt);
  }
  throw new Error(`${ATTEMPTS_MAX} other writers of the validation came first.`);
}

interface Addition {
  readonly validationId: string;
  readonly request: ImageRequest;
}

/** Adds an image to a validation of the customer. A repeated call, recognised by the image's id, changes nothing. */
export async function addImage(
  deps: AdditionDeps,
  caller: LoyaltyCaller,
  { validationId, request }: Addition,
  now: number,
): Promise<Validation> {
  const customer = submitter(caller);
  const key = { tenant: caller.app.tenant, id: validationId };
  const stored = /^\d{1,16}$/.test(validationId) ? await deps.validations.byId(key) : undefined;
  if (stored?.customer !== customer.id) throw unknownValidation();
  const addition = newImage(key, request, deps.newImageName);
  const imagesAfter = ({ images, imageCount }: Validation) => withOneMore(images, addition.image, imageCount);
  // Refused and repeated images are not stored.
  if (imagesAfter(stored) === stored.images) return stored;
  if (isPicture(addition)) await deps.storePicture(addition);
  return (await changeImages(deps.validations, key, imagesAfter, now)) ?? throwGone();
}

const unknownValidation = () => loyaltyError('not_found', 'There is no such image validation.');

function throwGone(): never {
  throw unknownValidation();
}
