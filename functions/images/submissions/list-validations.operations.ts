import * as z from 'zod';
import { operations } from '#shared/http/operation';
import { answerOf } from '#shared/loyalty/loyalty-schemas';
import { CustomerValidation } from '../validations/customer-validation.ts';

const errors = { 200: ['access_denied'] };
const listing = {
  description: 'The newest first, up to the 10,000th.',
  query: z.object({
    limit: z.int().min(1).default(100).meta({ description: 'At most 100 are on a page.' }),
    page: z.int().min(1).default(1),
  }),
  answers: { 200: answerOf('ValidationList', { image_validations: z.array(CustomerValidation) }) },
  errors,
};

/** Operations that list the validations of a customer. */
export const validationListOperations = operations({
  listValidations: {
    route: 'GET /priv/v1/apps/{api_key}/image_validations',
    summary: 'List the validations of a customer by its token',
    ...listing,
    errors: { ...errors, 200: [...errors[200], 'requires_registered_user'] },
  },
  listValidationsOfCustomer: {
    route: 'GET /priv/v1/apps/{api_key}/users/{user_id}/image_validations',
    summary: 'List the validations of a customer',
    ...listing,
  },
  listValidationsOfExternalCustomer: {
    route: 'GET /priv/v1/apps/{api_key}/external/users/{external_id}/image_validations',
    summary: 'List the validations of a customer by its external id',
    ...listing,
  },
  listValidationsOfAnonymousCustomer: {
    route: 'GET /api/v1/apps/{api_key}/image_validations',
    summary: 'List the validations of an anonymous customer',
    isPublic: true,
    ...listing,
  },
});
