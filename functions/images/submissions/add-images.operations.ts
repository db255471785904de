import * as z from 'zod';
import { operations } from '#shared/http/operation';
import { ValidationAnswer } from '../validations/customer-validation.ts';
import { ImageAddition, ImageForm, ImageQuery } from './requests/submission-schemas.ts';

const errors = { 200: ['access_denied', 'image_not_found', 'validation'], 404: ['not_found'] };
const adding = {
  description:
    'The image is JSON, the body itself, or the only file of a form. An image with the id and bytes of an earlier one changes nothing.',
  query: ImageQuery,
  body: ImageAddition,
  otherBodies: { 'image/*': z.file(), 'application/pdf': z.file(), 'multipart/form-data': ImageForm },
  example: { image: { id: 'back', upload: true, mime_type: 'image/jpeg' } },
  answers: { 200: ValidationAnswer },
  errors,
};

/** Operations that add an image to a validation. */
export const imageAdditionOperations = operations({
  addImage: {
    route: 'POST /priv/v1/apps/{api_key}/image_validations/{image_validation_id}/images',
    summary: 'Add an image to a validation by the token of its customer',
    ...adding,
    errors: { ...errors, 200: [...errors[200], 'requires_registered_user'] },
  },
  addImageOfCustomer: {
    route: 'POST /priv/v1/apps/{api_key}/users/{user_id}/image_validations/{image_validation_id}/images',
    summary: 'Add an image to a validation of a customer',
    ...adding,
  },
  addImageOfExternalCustomer: {
    route: 'POST /priv/v1/apps/{api_key}/external/users/{external_id}/image_validations/{image_validation_id}/images',
    summary: 'Add an image to a validation of a customer by its external id',
    ...adding,
  },
  addImageOfAnonymousCustomer: {
    route: 'POST /api/v1/apps/{api_key}/image_validations/{image_validation_id}/images',
    summary: 'Add an image to a validation of an anonymous customer',
    isPublic: true,
    ...adding,
  },
});
