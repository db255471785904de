import { operations } from '#shared/http/operation';
import { meteredOperation } from '../serving/metered-operation.ts';
import { EnrichItem, EnrichResult } from './enrich.ts';

/** Derives what a record implies, and changes nothing in it. */
export const enrichOperations = operations({
  enrichRecords: meteredOperation({
    route: 'POST /v1/enrich',
    summary: 'Enrich records',
    name: 'Enrich',
    item: EnrichItem,
    result: EnrichResult,
    example: {
      type: 'property',
      record: { price: '450000', currency: 'USD', area: { value: '1250', unit: 'ft2' }, lat: 37.7749, lon: -122.4194 },
    },
  }),
});
