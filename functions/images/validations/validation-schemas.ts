/** Schemas of the parts of a validation that several answers show. */
import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { INVALID_CODES, reasonOf } from '#shared/loyalty/invalid-codes';
import { STATUSES } from './validation.ts';

export const ValidationType = named('ValidationType', z.enum(['receipt', 'image']));

export const ValidationStatus = named(
  'ValidationStatus',
  z.enum(STATUSES),
  'Incomplete until all images have arrived, pending until the validation is decided, then valid or invalid.',
);

export const InvalidCode = named(
  'InvalidCode',
  z
    .int()
    .min(0)
    .max(Math.max(...INVALID_CODES)),
  INVALID_CODES.map((code) => `${code} ${reasonOf(code)}`).join('; '),
);
