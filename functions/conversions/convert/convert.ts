import * as z from 'zod';
import { CoordinateItem, convertCoordinateItem } from './coordinate-item.ts';
import { CountryItem, convertCountryItem } from './country-item.ts';
import { convertDatetimeItem, DatetimeItem } from './datetime-item.ts';
import { convertGtinItem, GtinItem } from './gtin-item.ts';
import type { Context } from './item-base.ts';
import { convertMoneyItem, convertUnitPriceItem, MoneyItem, UnitPriceItem } from './money-items.ts';
import { convertQuantityItem, QuantityItem } from './quantity-item.ts';
import { convertTableItem, TableItem, TableRow } from './table-item.ts';

/** An item of `POST /v1/convert`: a value with its present form and the form to convert it into. */
export const ConvertItem = z.discriminatedUnion('kind', [
  QuantityItem,
  UnitPriceItem,
  MoneyItem,
  CoordinateItem,
  GtinItem,
  DatetimeItem,
  CountryItem,
  TableItem,
]);
export type ConvertItem = z.output<typeof ConvertItem>;

const Decimal = z.string();

export const ConvertResult = z.strictObject({
  value: z.union([z.string(), z.array(TableRow)]).meta({
    description:
      'The value in its new form: numbers as decimal text, rounded to the precision. A list for a table as json.',
    examples: ['116.13'],
  }),
  exact: Decimal.optional().meta({
    description: 'All digits; absent where they have no end.',
    examples: ['116.1288'],
  }),
  fraction: z
    .string()
    .optional()
    .meta({
      description: 'The exact value where its digits have no end. It can be sent as a value again.',
      examples: ['1250/381'],
    }),
  unit: z
    .string()
    .optional()
    .meta({ description: 'Code of the unit of the value.', examples: ['m2'] }),
  currency: z.string().optional().meta({ description: 'ISO 4217.' }),
  per: z.string().optional().meta({ description: 'Code of the unit that the price is for.' }),
  factor: z
    .string()
    .optional()
    .meta({
      description: 'What the value was multiplied by: a decimal, or a fraction where its digits have no end.',
      examples: ['0.09290304'],
    }),
  checkDigit: z.enum(['valid', 'computed']).optional().meta({
    description: 'Whether the number came with its check digit or without one.',
  }),
  hyphenated: z
    .string()
    .optional()
    .meta({ description: 'An ISBN with its hyphens.', examples: ['978-0-306-40615-7'] }),
  latitude: Decimal.optional(),
  longitude: Decimal.optional(),
  altitude: Decimal.optional().meta({ description: 'Metres, where ISO 6709 names them.' }),
  rows: z.int().optional().meta({ description: 'How many rows the table has, without its header.' }),
  guarded: z.int().optional().meta({
    description: 'Cells of CSV that a spreadsheet would run as formulas, and that now begin with an apostrophe.',
  }),
});
export type ConvertResult = z.output<typeof ConvertResult>;

export async function convertItem(item: ConvertItem, context: Context): Promise<ConvertResult> {
  switch (item.kind) {
    case 'quantity':
      return convertQuantityItem(item, context);
    case 'unitPrice':
      return convertUnitPriceItem(item, context);
    case 'money':
      return convertMoneyItem(item, context);
    case 'coordinate':
      return convertCoordinateItem(item, context);
    case 'gtin':
      return await convertGtinItem(item);
    case 'datetime':
      return await convertDatetimeItem(item, context);
    case 'country':
      return await convertCountryItem(item, context);
    default:
      return await convertTableItem(item);
  }
}
