import { operations } from '#shared/http/operation';
import { meteredOperation } from '../serving/metered-operation.ts';
import { ValidateItem, ValidateResult } from './validate.ts';

/** Judges a record, with the reason and a suggestion for each mistake. */
export const validateOperations = operations({
  validateRecords: meteredOperation({
    route: 'POST /v1/validate',
    summary: 'Validate records',
    name: 'Validate',
    item: ValidateItem,
    result: ValidateResult,
    example: { type: 'product', record: { gtin: '4006381333932', price: '12.99', currency: 'EUR' } },
  }),
});
