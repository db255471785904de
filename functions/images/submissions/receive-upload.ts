import { formatOf } from '../pictures/format.ts';
import { uploadOf } from '../validations/picture-keys.ts';
import {
  IMAGE_BYTES_MAX,
  isStored,
  type SubmittedImage,
  type UploadRefusal,
  type Validation,
} from '../validations/validation.ts';
import { type ChangingValidations, changeImages } from './add-image.ts';
import { type NewPicture, newPicture } from './new-images.ts';

/** One version of an object. A later upload may replace it at any time. */
export interface UploadedObject {
  readonly key: string;
  readonly etag: string;
}

export interface Uploads {
  /** The newest version under a key; undefined if there is none. */
  readonly find: (key: string) => Promise<(UploadedObject & { readonly bytes: number }) | undefined>;
  /** Undefined if the object was replaced or removed. */
  readonly read: (upload: UploadedObject) => Promise<Uint8Array | undefined>;
  /** Deletes this version only. A newer version has its own notification. */
  readonly remove: (upload: UploadedObject) => Promise<void>;
}

export interface ReceivingDeps {
  readonly validations: ChangingValidations;
  readonly uploads: Uploads;
  readonly storePicture: (picture: NewPicture) => Promise<void>;
}

/** The outcome of an upload. */
export type UploadResult = 'stored' | UploadRefusal | 'unexpected' | 'replaced' | 'gone' | 'no-upload';

/**
 * Turns an upload into the image that its validation expects: stores the bytes under a key that no link can write,
 * updates the validation, then deletes the upload. Notifications may be repeated, late or out of order, so the object's
 * current content counts. A file that is no image is deleted; the validation shows why and keeps expecting one.
 */
export async function receiveUpload(deps: ReceivingDeps, key: string, now: number): Promise<UploadResult> {
  const validation = uploadOf(key);
  if (!validation) return 'no-upload';
  const upload = await deps.uploads.find(key);
  if (!upload) return 'gone';
  const image = (await deps.validations.byId(validation))?.images.find((candidate) => isExpectedAt(candidate, key));
  const result = image ? await storeUpload(deps, { upload, validation, id: image.id }, now) : 'unexpected';
  await deps.uploads.remove(upload);
  return result;
}

const isExpectedAt = (image: SubmittedImage, key: string) => !isStored(image) && image.uploadKey === key;

interface Arrival {
  readonly upload: UploadedObject & { readonly bytes: number };
  readonly validation: { readonly tenant: string; readonly id: string };
  /** The id of the expected image. */
  readonly id: string;
}

async function storeUpload(deps: ReceivingDeps, arrival: Arrival, now: number): Promise<UploadResult> {
  const { uploads, validations, storePicture } = deps;
  const { upload, validation, id } = arrival;
  const { tenant, id: validationId } = validation;
  if (upload.bytes > IMAGE_BYTES_MAX) return refuseUpload(deps, arrival, { why: 'too-large', now });
  const bytes = await uploads.read(upload);
  if (!bytes) return 'replaced';
  const format = formatOf(bytes);
  if (!format) return refuseUpload(deps, arrival, { why: 'no-image', now });
  const key = { tenant, id: validationId };
  const picture = newPicture(key, { id, bytes, format });
  const { image } = picture;
  await storePicture(picture);
  const imagesAfter = (before: Validation) => {
    const at = before.images.findIndex((candidate) => isExpectedAt(candidate, upload.key));
    return at < 0 ? before.images : before.images.with(at, image);
  };
  const after = await changeImages(validations, key, imagesAfter, now);
  const isStoredNow = after?.images.some(
    (other) => isStored(other) && other.id === id && other.sha256 === image.sha256,
  );
  return isStoredNow ? 'stored' : 'unexpected';
}

/** Stores why an upload was refused, until an image arrives. */
async function refuseUpload(
  { validations }: ReceivingDeps,
  { upload, validation: { tenant, id } }: Arrival,
  { why, now }: { readonly why: UploadRefusal; readonly now: number },
): Promise<UploadRefusal> {
  const imagesAfter = ({ images }: Validation) => {
    const at = images.findIndex((image) => isExpectedAt(image, upload.key));
    const image = images[at];
    return !image || isStored(image) || image.refused === why ? images : images.with(at, { ...image, refused: why });
  };
  await changeImages(validations, { tenant, id }, imagesAfter, now);
  return why;
}
