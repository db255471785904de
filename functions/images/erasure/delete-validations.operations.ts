import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';

/** The operation that erases an image validation. */
export const validationErasureOperations = operations({
  deleteImageValidation: {
    route: 'DELETE /manage/v1/image-validations/{id}',
    summary: 'Erase an image validation',
    description: 'Erases the validation with its pictures and everything that was derived from them.',
    path: ItemPath,
    answers: { 204: undefined },
  },
});
