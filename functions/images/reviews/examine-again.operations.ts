import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';

/** The operation that examines an image validation again. */
export const reexaminationOperations = operations({
  examineImageValidation: {
    route: 'POST /manage/v1/image-validations/{id}/examination',
    summary: 'Examine an image validation again',
    description:
      'For a validation that awaits a person, if `canExamineAgain` says so. The review stays open until the examination ends; then the validation has a verdict, or its doubts and revision change. Repeating the call while it runs starts nothing.',
    path: ItemPath,
    answers: {
      202: named(
        'StartedExamination',
        z.object({ id: z.int(), revision: z.int().meta({ description: 'The revision that the result replaces.' }) }),
      ),
    },
    errors: { 409: ['claimed', 'examination-failed', 'needs-no-examination'] },
  },
});
