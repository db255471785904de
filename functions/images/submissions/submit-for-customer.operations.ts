import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { IMAGES_PER_RECORD_MAX } from '#shared/loyalty/app';
import { IMAGE_BYTES_MAX } from '../validations/validation.ts';
import { ValidationStatus, ValidationType } from '../validations/validation-schemas.ts';
import { ID_CHARACTERS_MAX, TYPE_CHARACTERS_MAX } from './requests/image-request.ts';
import { TEXT_CHARACTERS_MAX } from './requests/submission-request.ts';

const ID_MAX = 100;
const label = z.string().max(TEXT_CHARACTERS_MAX).optional();

const ImageToUpload = z.strictObject({
  id: z.string().min(1).max(ID_CHARACTERS_MAX),
  mimeType: z.string().max(TYPE_CHARACTERS_MAX).optional(),
  size: z.int().min(1).max(IMAGE_BYTES_MAX).describe('The bytes of the image. Its link accepts no other size.'),
});

/** The body of a submission for a customer. */
export const SubmissionForCustomer = named(
  'SubmissionForCustomer',
  z.strictObject({
    app: z.string().min(1).max(ID_MAX),
    customer: z.string().min(1).max(ID_MAX),
    campaignPermalink: z.string().min(1).max(ID_MAX),
    validationType: ValidationType,
    placementId: label,
    externalId: label,
    images: z.array(ImageToUpload).min(1).max(IMAGES_PER_RECORD_MAX),
  }),
);
export type SubmissionForCustomer = z.output<typeof SubmissionForCustomer>;

const SubmittedImage = named(
  'SubmittedImage',
  z.object({
    id: z.string(),
    uploadUrl: z
      .string()
      .optional()
      .meta({ description: 'Where to PUT the image, valid for an hour; absent if it has arrived.' }),
  }),
  'An image of a new validation.',
);

/** The operation by which a tenant submits images for a customer. */
export const customerSubmissionOperations = operations({
  createImageValidation: {
    route: 'POST /manage/v1/image-validations',
    summary: 'Submit images of a customer',
    description:
      'The validation is examined once each image was PUT to its link. Repeating the same submission within a day, before an image has arrived, returns the same validation with new links.',
    body: SubmissionForCustomer,
    example: {
      app: 'app_5ZC1xVtnN2',
      customer: 'cus_8aTqL0mWcX',
      campaignPermalink: 'autumn-receipts',
      validationType: 'receipt',
      images: [{ id: 'front', mimeType: 'image/jpeg', size: 184_320 }],
    },
    answers: {
      201: named(
        'SubmittedValidation',
        z.object({ id: z.int(), status: ValidationStatus, images: z.array(SubmittedImage) }),
      ),
    },
    errors: { 409: ['campaign-unavailable', 'images-disabled', 'submission-refused'] },
  },
});
