import { convertOperations } from '../../../functions/conversions/convert/convert.operations.ts';
import { enrichOperations } from '../../../functions/conversions/enrich/enrich.operations.ts';
import { normalizeOperations } from '../../../functions/conversions/normalize/normalize.operations.ts';
import { validateOperations } from '../../../functions/conversions/validate/validate.operations.ts';

/** The metered routes by the last part of their path, each with its example. */
export const METERED_OPERATIONS = [
  { name: 'convert', example: convertOperations.convertValues.example },
  { name: 'normalize', example: normalizeOperations.normalizeRecords.example },
  { name: 'validate', example: validateOperations.validateRecords.example },
  { name: 'enrich', example: enrichOperations.enrichRecords.example },
] as const satisfies readonly { readonly name: string; readonly example: object }[];
