import { operations } from '#shared/http/operation';
import { meteredOperation } from '../serving/metered-operation.ts';
import { NormalizeItem, NormalizeResult } from './normalize.ts';

/** Converts a record to canonical form, and reports every change. */
export const normalizeOperations = operations({
  normalizeRecords: meteredOperation({
    route: 'POST /v1/normalize',
    summary: 'Bring records into canonical form',
    name: 'Normalize',
    item: NormalizeItem,
    result: NormalizeResult,
    example: {
      type: 'business',
      record: { name: '  ACME   G.m.b.H. ', phone: '030 123456', country: 'Deutschland', opened: '03/04/2024' },
      options: { locale: 'de-DE' },
    },
  }),
});
