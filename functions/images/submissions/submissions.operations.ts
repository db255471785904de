import { operations } from '#shared/http/operation';
import { ValidationAnswer } from '../validations/customer-validation.ts';
import { Submission } from './requests/submission-schemas.ts';

const errors = { 200: ['access_denied', 'campaign_unavailable', 'missing_data', 'validation'] };
const submitting = {
  description:
    'A call with an `Idempotency-Key`, or with ids for all its images, creates one validation however often it is repeated within a day. A call has up to 6 MB; larger images are uploaded.',
  body: Submission,
  example: {
    image_validation: {
      validation_type: 'receipt',
      campaign_permalink: 'autumn-receipts',
      images: [{ id: 'front', upload: true, mime_type: 'image/jpeg' }],
    },
  },
  answers: { 200: ValidationAnswer },
  errors,
};

/** Operations that submit images. */
export const submissionOperations = operations({
  submitImages: {
    route: 'POST /priv/v1/apps/{api_key}/image_validations',
    summary: 'Submit images of a customer by its token',
    ...submitting,
    errors: { ...errors, 200: [...errors[200], 'requires_registered_user'] },
  },
  submitImagesOfCustomer: {
    route: 'POST /priv/v1/apps/{api_key}/users/{user_id}/image_validations',
    summary: 'Submit images of a customer',
    ...submitting,
  },
  submitImagesOfExternalCustomer: {
    route: 'POST /priv/v1/apps/{api_key}/external/users/{external_id}/image_validations',
    summary: 'Submit images of a customer by its external id',
    ...submitting,
  },
  submitImagesOfAnonymousCustomer: {
    route: 'POST /api/v1/apps/{api_key}/image_validations',
    summary: 'Submit images of an anonymous customer',
    isPublic: true,
    ...submitting,
  },
});
