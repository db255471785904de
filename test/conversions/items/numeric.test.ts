import { describe, expect, it } from 'vitest';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { Numeric } from '../../../functions/conversions/items/numeric.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';

describe('a number', () => {
  it.each([
    ['12.50', '"12.50"'],
    ['12.50', '12.50'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e400', '1e400'],
    ['-0', '-0'],
    ['0', '0'],
    [' five ', '" five "'],
    ['', '""'],
    ['7'.repeat(1_000), '7'.repeat(1_000)],
  ])('is its digits, as number or as text: %s', (text, json) => {
    expect(Numeric.parse(parseExactly(json))).toBe(text);
  });

  it.each(['null', 'true', '[]', '{}', '[1]', '{"rawJSON":"1"}', `"${'7'.repeat(1_001)}"`, '7'.repeat(1_001)])(
    'is not %s',
    (json) => {
      expect(Numeric.safeParse(parseExactly(json)).success).toBe(false);
    },
  );

  it('must be there', () => {
    expect(Numeric.safeParse(undefined).success).toBe(false);
  });
});

describe('options', () => {
  it('assume nothing but how to round', () => {
    expect(Options.parse({})).toEqual({ rounding: 'half-even' });
  });

  it.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'])('take the zone %s', (timezone) => {
    expect(Options.parse({ timezone }).timezone).toBe(timezone);
  });

  it.each(['de', 'de-DE', 'zh-Hant-TW', 'fil-PH'])('take the locale %s', (locale) => {
    expect(Options.parse({ locale }).locale).toBe(locale);
  });
});

it('a refused item is 422, and says what helps', () => {
  const refusal = new ItemRefusal('ambiguous-value', 'Two readings.', { candidates: ['1', '2'] });
  expect(refusal).toMatchObject({ status: 422, code: 'ambiguous-value', facts: { candidates: ['1', '2'] } });
  expect(new ItemRefusal('unknown-unit', 'x').facts).toEqual({});
});
