import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ItemRefusal } from '../../../../functions/conversions/items/item-refusal.ts';
import { findUnit, unitOf, unitPair } from '../../../../functions/conversions/values/quantities/unit-lookup.ts';
import { UNITS } from '../../../../functions/conversions/values/quantities/unit-table.ts';

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
    ['kgs', 'kg', 'lb'],
    ['metrs', 'm', 'ft'],
    ['galon', 'gal_us', 'L'],
    ['acer', 'acre', 'm2'],
    ['tsbuo', 'tsubo', 'm2'],
    ['wats', 'W', 'hp'],
  ])('suggests for %s the unit %s, beside a unit of its kind', (name, suggestion, other) => {
    const refusal = refusalOf(() => unitPair(name, other));
    expect(refusalOf(() => unitPair(other, name)).facts).toEqual({ suggestion });
    expect(refusal).toMatchObject({ code: 'unknown-unit', facts: { suggestion } });
    expect(refusal.message).toContain(`There is no unit "${name}". Did you mean ${suggestion}?`);
  });

  it.each([
    ['minn', 'in'],
    ['kwx', 'K'],
    ['hpp', 'ha'],
    ['kgs', undefined],
    ['kgs', 'm2'],
    ['kgs', 'lbz'],
  ])('suggests nothing for %s beside %s, since nothing of that kind is near', (name, other) => {
    const refusal = refusalOf(() => (other === undefined ? unitOf(name) : unitPair(name, other)));
    expect(refusal).toMatchObject({ code: 'unknown-unit', facts: {} });
    expect(refusal.facts.suggestion).toBeUndefined();
  });

  it.each([
    ['min', 'time'],
    ['kW', 'power'],
    ['hp', 'power'],
    ['PSI', 'pressure'],
    ['mm Hg', 'pressure'],
    ['N', 'force'],
    ['°', 'angle'],
    ['rpm', 'frequency'],
    ['mpg', 'fuel consumption'],
    ['l/100 km', 'fuel consumption'],
    ['Mbps', 'data rate'],
    ['MB/s', 'data rate'],
    ['gigabits per second', 'data rate'],
    ['kilowatts', 'power'],
    ['milliseconds', 'time'],
  ])('knows %s as a unit of %s', (name, dimension) => {
    expect(unitOf(name).dimension).toBe(dimension);
  });

  it('never suggests a unit of another kind than the unit beside it', () => {
    const misspelled = fc
      .tuple(fc.constantFrom(...UNITS), fc.nat(), fc.constantFrom('x', 'q', ''))
      .map(([{ names, code }, at, letter]) => {
        const name = names[at % Math.max(1, names.length)] ?? code;
        return `${name.slice(0, at % (name.length + 1))}${letter}${name.slice((at % (name.length + 1)) + 1)}`;
      });
    fc.assert(
      fc.property(misspelled, fc.constantFrom(...UNITS), (name, other) => {
        if (findUnit(name)) return;
        const { suggestion } = refusalOf(() => unitPair(name, other.code)).facts;
        if (suggestion !== undefined) expect(unitOf(suggestion).dimension).toBe(other.dimension);
      }),
    );
  });

  it.each([
    ['ton', ['t', 'ton_us', 'ton_uk']],
    ['KB', ['kB', 'KiB']],
    ['mb', ['Mbit', 'MB']],
    ['MWH', ['MWh', 'mWh']],
  ])('asks which unit is meant by %s', (name, candidates) => {
    expect(refusalOf(() => unitOf(name))).toMatchObject({ code: 'ambiguous-value', facts: { candidates } });
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
        expect(['unknown-unit', 'ambiguous-value']).toContain(refusalOf(() => unitOf(name)).code);
      }),
    );
  });
});

function refusalOf(act: () => unknown): ItemRefusal {
  try {
    act();
  } catch (error) {
    if (error instanceof ItemRefusal) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
