import { operations } from '#shared/http/operation';
import { meteredOperation } from '../serving/metered-operation.ts';
import { ConvertItem, ConvertResult } from './convert.ts';

/** Converts values to the unit or form that the caller names, exactly. */
export const convertOperations = operations({
  convertValues: meteredOperation({
    route: 'POST /v1/convert',
    summary: 'Convert values to another unit or form',
    name: 'Convert',
    item: ConvertItem,
    result: ConvertResult,
    example: { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 },
  }),
});
