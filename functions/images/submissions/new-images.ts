import { createHash } from 'node:crypto';
import type { TenantKey } from '#shared/ids';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { withoutMetadata } from '../metadata/without-metadata.ts';
import type { PictureFormat } from '../pictures/format.ts';
import { pictureKey, uploadKey } from '../validations/picture-keys.ts';
import { type ExpectedImage, isStored, type StoredImage, type SubmittedImage } from '../validations/validation.ts';
import { type ImageRequest, isInline } from './requests/image-request.ts';

const MIME_TYPES = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  tiff: 'image/tiff',
  pdf: 'application/pdf',
} as const satisfies Readonly<Record<PictureFormat, string>>;

/** An image that is to be stored, with its bytes. */
export interface NewPicture {
  readonly image: StoredImage;
  readonly bytes: Uint8Array;
}

/**
 * The picture as it is stored, without metadata about a person, place or device. Its key contains the hash of its
 * bytes, so every writer of a key stores the same content.
 */
export function newPicture(
  validation: TenantKey,
  { id, bytes: submitted, format }: { readonly id: string; readonly bytes: Uint8Array; readonly format: PictureFormat },
): NewPicture {
  const bytes = withoutMetadata(submitted, format);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = pictureKey(validation, sha256);
  return { image: { id, mimeType: MIME_TYPES[format], format, bytes: bytes.byteLength, sha256, key }, bytes };
}

/** A requested image as part of its validation. It gets an id if the client sent none. */
export type NewImage = NewPicture | { readonly image: ExpectedImage };

export function newImage(validation: TenantKey, request: ImageRequest, newImageName: () => string): NewImage {
  const name = newImageName();
  const id = request.id ?? name;
  if (isInline(request)) return newPicture(validation, { ...request, id });
  const { mimeType = 'application/octet-stream', size } = request;
  return {
    image: { id, mimeType, ...(size !== undefined && { bytes: size }), uploadKey: uploadKey(validation, name) },
  };
}

/**
 * The images of a validation with one more. Images with the same id are the same image if their bytes are equal or if
 * one is still to be uploaded: a repeated call changes nothing, and inline bytes replace a pending upload.
 */
export function withOneMore(
  images: readonly SubmittedImage[],
  image: SubmittedImage,
  imagesMax: number,
): readonly SubmittedImage[] {
  const at = images.findIndex(({ id }) => id === image.id);
  const present = images[at];
  if (!present) {
    if (images.length < imagesMax) return [...images, image];
    throw loyaltyError('validation', `Too many images: the validation has room for ${imagesMax}.`);
  }
  if (!isStored(image)) return images;
  if (!isStored(present)) return images.with(at, image);
  if (present.sha256 === image.sha256) return images;
  throw loyaltyError('validation', `The validation has another image with the id ${image.id}.`);
}
