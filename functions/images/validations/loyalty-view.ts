import { parseExactly } from '#shared/formats/exact-json';
import { isStored, type ResultLine, type SubmittedImage, type UploadRefusal, type Validation } from './validation.ts';

/** Makes links that work without credentials for an hour. */
export interface PictureLinks {
  view(key: string): Promise<string>;
  /** @param bytes the only size that the link accepts; undefined accepts any */
  upload(key: string, bytes: number | undefined): Promise<string>;
}

/** A validation as the loyalty interface shows it: see "Validations as customers see them" in the README. */
export async function presentValidation(links: PictureLinks, validation: Validation) {
  const { status, results = [], data } = validation;
  return {
    id: Number(validation.id),
    validation_type: validation.validationType,
    campaign_id: validation.campaignId,
    campaign_permalink: validation.campaignPermalink,
    placement_id: validation.placementId,
    external_id: validation.externalId,
    user_id: validation.customer,
    status,
    ...(status === 'invalid' && {
      invalid_code: validation.invalidCode,
      invalid_reason: validation.invalidReason,
    }),
    created_at: dateTime(validation.createdAt),
    updated_at: dateTime(validation.updatedAt),
    image_count: validation.imageCount,
    images: await Promise.all(validation.images.map((image) => presentImage(links, image))),
    ...(data !== undefined && { data: parseExactly(data) }),
    ...(status === 'valid' && {
      results: results.map(presentResult),
      store_name: validation.storeName,
      receipt_date: validation.receiptDate,
    }),
  };
}

const presentImage = async (links: PictureLinks, image: SubmittedImage) => ({
  id: image.id,
  ...(isStored(image)
    ? { url: await links.view(image.key) }
    : {
        upload_url: await links.upload(image.uploadKey, image.bytes),
        ...(image.refused && { error: { code: 'validation' as const, message: UPLOAD_ERRORS[image.refused] } }),
      }),
  mime_type: image.mimeType,
});

/** These errors match those of a call with the same image inline. */
const UPLOAD_ERRORS = {
  'too-large': 'The upload was over 10MB. Upload a smaller image to upload_url.',
  'no-image': 'Invalid image data: the upload was no JPG, PNG, GIF, TIFF or PDF. Upload an image to upload_url.',
} as const satisfies Readonly<Record<UploadRefusal, string>>;

const presentResult = ({ id, name, description, price, quantity, points }: ResultLine) => ({
  id,
  name,
  description,
  price: price / 100,
  quantity,
  points,
});

/** Formats a UTC time as `2026-03-05 09:07:00`. */
const dateTime = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
