import * as z from 'zod';
import { Numeric } from '../items/numeric.ts';
import { convertDecimal } from '../values/quantities/convert-decimal.ts';
import { conversionNamed } from '../values/quantities/named-conversion.ts';
import { base, type Context, roundedBy } from './item-base.ts';

const UnitName = z.string().min(1).max(60);

export const QuantityItem = z.strictObject({
  kind: z.literal('quantity'),
  value: Numeric.meta({ description: 'A decimal number, or a fraction such as 5/9.', examples: ['1250'] }),
  from: UnitName.meta({ description: 'Code or name of the unit, such as ft2, kg, fl oz, [degF].', examples: ['ft2'] }),
  to: UnitName.meta({ description: 'Unit of the same dimension.', examples: ['m2'] }),
  ...base,
});

export function convertQuantityItem(item: z.output<typeof QuantityItem>, { options }: Context) {
  const conversion = conversionNamed(item.from, item.to);
  const result = convertDecimal(item.value, conversion, roundedBy(item, options));
  // A factor alone does not convert between units with different zeros, as Celsius and Fahrenheit, or between
  // reciprocal units.
  const { offset, reciprocal, approximate, factorText } = conversion;
  const isFactor = offset.numerator === 0n && !reciprocal && !approximate;
  return { ...result, unit: conversion.to.code, ...(isFactor && { factor: factorText }) };
}
