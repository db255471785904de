import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { editDistance } from '../../../functions/conversions/quantities/nearest.ts';
import { findUnit, unitOf } from '../../../functions/conversions/quantities/unit-lookup.ts';
import { UNITS } from '../../../functions/conversions/quantities/unit-table.ts';

describe('names of units', () => {
  it.each([
    ['ft²', 'ft2'],
    ['㎡', 'm2'],
    ['m^3', 'm3'],
    ['sq. ft.', 'ft2'],
    ['Square Feet', 'ft2'],
    ['sqm', 'm2'],
    ['qm', 'm2'],
    ['cu ft', 'ft3'],
    ['°F', 'degF'],
    ['℃', 'Cel'],
    ['µm', 'um'],
    ['μg', 'ug'],
    ['KG', 'kg'],
    ['lbs', 'lb'],
    ['lb.', 'lb'],
    ['fl. oz.', 'floz_us'],
    ['fl oz UK', 'floz_uk'],
    ['imperial gallons', 'gal_uk'],
    ['gal', 'gal_us'],
    ['acres', 'acre'],
    ['坪', 'tsubo'],
    ['kilowatt hours', 'kWh'],
    ['kilometres per hour', 'km/h'],
    ['MB', 'MB'],
    ['Mb', 'Mbit'],
    ['gibibytes', 'GiB'],
    ['[foz_us]', 'floz_us'],
    ['[sft_i]', 'ft2'],
    ['[lb_av]', 'lb'],
    ['[degF]', 'degF'],
  ])('knows %s as %s', (name, code) => {
    expect(unitOf(name).code).toBe(code);
  });

  it('finds every unit by its code, whatever other names there are', () => {
    for (const unit of UNITS) expect(unitOf(unit.code)).toBe(unit);
  });

  it.each([
    ['kgs', 'kg'],
    ['metrs', 'm'],
    ['galon', 'gal_us'],
    ['acer', 'acre'],
    ['tsbuo', 'tsubo'],
  ])('suggests for %s the unit %s', (name, suggestion) => {
    const refusal = refusalOf(name);
    expect(refusal).toMatchObject({ code: 'unknown-unit', facts: { suggestion } });
    expect(refusal.message).toContain(`There is no unit "${name}". Did you mean ${suggestion}?`);
  });

  it.each([
    ['ton', ['t', 'ton_us', 'ton_uk']],
    ['KB', ['kB', 'KiB']],
    ['mb', ['Mbit', 'MB']],
    ['MWH', ['MWh', 'mWh']],
  ])('asks which unit is meant by %s', (name, candidates) => {
    expect(refusalOf(name)).toMatchObject({ code: 'ambiguous-value', facts: { candidates } });
    expect(findUnit(name)).toBeUndefined();
  });

  it('refuses any other text as an unknown unit', () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', '\ud800', 'x'.repeat(8_000), ' '.repeat(100), ''),
    );
    fc.assert(
      fc.property(hostile, (name) => {
        if (findUnit(name)) return;
        expect(['unknown-unit', 'ambiguous-value']).toContain(refusalOf(name).code);
      }),
    );
  });

  it('counts swapped neighbours as one difference', () => {
    expect(editDistance('abcd', 'abdc', 3)).toBe(1);
    expect(editDistance('kitten', 'sitting', 3)).toBe(3);
    expect(editDistance('a', 'bcdef', 2)).toBeGreaterThan(2);
  });
});

function refusalOf(name: string): ItemRefusal {
  try {
    unitOf(name);
  } catch (error) {
    if (error instanceof ItemRefusal) return error;
    throw error;
  }
  throw new Error(`${name} is a unit`);
}
