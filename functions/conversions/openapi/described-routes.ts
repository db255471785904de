import { ConvertItem, ConvertResult } from '../convert/convert.ts';
import { EnrichItem, EnrichResult } from '../enrich/enrich.ts';
import { NormalizeItem, NormalizeResult } from '../normalize/normalize.ts';
import { ValidateItem, ValidateResult } from '../validate/validate.ts';
import type { DescribedRoute } from './schemas.ts';

/** The metered routes with the schemas that they check requests with. */
export const DESCRIBED_ROUTES: readonly DescribedRoute[] = [
  {
    name: 'convert',
    summary: 'Converts values to the unit or form that the caller names, exactly.',
    item: ConvertItem,
    result: ConvertResult,
    example: { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 },
  },
  {
    name: 'normalize',
    summary: 'Brings a record into canonical form, and tells every change.',
    item: NormalizeItem,
    result: NormalizeResult,
    example: {
      type: 'business',
      record: { name: '  ACME   G.m.b.H. ', phone: '030 123456', country: 'Deutschland', opened: '03/04/2024' },
      options: { locale: 'de-DE' },
    },
  },
  {
    name: 'validate',
    summary: 'Judges a record, with the reason and a suggestion for each mistake.',
    item: ValidateItem,
    result: ValidateResult,
    example: { type: 'product', record: { gtin: '4006381333932', price: '12.99', currency: 'EUR' } },
  },
  {
    name: 'enrich',
    summary: 'Derives what a record implies, and changes nothing in it.',
    item: EnrichItem,
    result: EnrichResult,
    example: {
      type: 'property',
      record: { price: '450000', currency: 'USD', area: { value: '1250', unit: 'ft2' }, lat: 37.7749, lon: -122.4194 },
    },
  },
];
