import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhone, phoneDetail, printPhone } from '../../../../functions/conversions/values/phones/phones.ts';
import { CODE_POINT } from '../../../support/runner/code-points.ts';

describe('reading a phone number', () => {
  it.each([
    ['030 123456', 'DE', '+4930123456', 'DE', 'fixed-line'],
    ['+49 (0)30 123456', undefined, '+4930123456', 'DE', 'fixed-line'],
    ['0044 20 7946 0958', 'DE', '+442079460958', 'GB', 'fixed-line'],
    ['06 1234567', 'IT', '+39061234567', 'IT', 'fixed-line'],
    ['+7 701 123 45 67', undefined, '+77011234567', 'KZ', 'mobile'],
    ['＋４９ ３０ １２３４５６', undefined, '+4930123456', 'DE', 'fixed-line'],
    ['\u202a+49 30 123456\u202c', undefined, '+4930123456', 'DE', 'fixed-line'],
    ['tel:+49-30-123456', undefined, '+4930123456', 'DE', 'fixed-line'],
  ])('reads %s with default country %s', async (text, defaultCountry, e164, country, type) => {
    expect(await parsePhone(text, defaultCountry)).toEqual({ e164, country, type, valid: true, possible: true });
  });

  it('keeps the extension apart from the number', async () => {
    const phone = await parsePhone('(213) 373-4253 ext. 12', 'US');
    expect(phone).toMatchObject({ e164: '+12133734253', extension: '12', valid: true });
    expect(printPhone(phone)).toBe('+12133734253;ext=12');
  });

  it('names no country of a number that belongs to none', async () => {
    const phone = await parsePhone('+800 1234 5678');
    expect(phone).toEqual({ e164: '+80012345678', type: 'toll-free', valid: true, possible: true });
  });

  it.each([
    ['', undefined, 'not-a-number'],
    ['ring the bell', 'DE', 'not-a-number'],
    ['1-800-FLOWERS', 'US', 'not-a-number'],
    ['030 123456', undefined, 'no-country'],
    ['030 123456', 'XX', 'no-country'],
    ['+999123456', undefined, 'unknown-calling-code'],
    ['0', 'DE', 'too-short'],
    ['555 1234', 'US', 'too-short'],
    ['030 123456 / 030 123457', 'DE', 'too-long'],
    ['+49 30 1234567890123456789', undefined, 'too-long'],
    ['+1 555 123 4567', undefined, 'unassigned'],
  ])('says of %j with default country %s that it is %s', async (text, defaultCountry, reason) => {
    const phone = await parsePhone(text, defaultCountry);
    expect(phone).toMatchObject({ valid: false, reason });
    expect(phoneDetail(phone.reason ?? 'unassigned')).toMatch(/\.$/);
  });

  it('does not take the default country for the country of a number that several countries may use', async () => {
    expect((await parsePhone('555 123 4567', 'US')).country).toBeUndefined();
  });

  it('marks a number of right length without a range as possible, not as valid', async () => {
    expect(await parsePhone('+98 30 123')).toEqual({
      e164: '+9830123',
      country: 'IR',
      valid: false,
      possible: true,
      reason: 'unassigned',
    });
  });

  it.each(['(', '+', '1 ', ' ext.', '٣', '\ud800', '1x'])('refuses 8 KB of %j', async (part) => {
    expect(await parsePhone(part.repeat(8_192 / part.length), 'US')).toEqual({
      valid: false,
      possible: false,
      reason: 'too-long',
    });
  });

  it('reads what it has printed as the same number, whatever was written', async () => {
    const written = fc.stringMatching(/^[+0-9()\-. x/;]{0,30}$/);
    await fc.assert(
      fc.asyncProperty(
        written,
        fc.constantFrom('US', 'DE', 'IT', 'AR', 'MX', 'BR', undefined),
        async (text, country) => {
          const phone = await parsePhone(text, country);
          expect(phone.reason === undefined).toBe(phone.valid);
          if (phone.valid) expect(await parsePhone(printPhone(phone), country)).toEqual(phone);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('answers any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: CODE_POINT, maxLength: 300 }), async (text) => {
        expect(typeof (await parsePhone(text, 'DE')).valid).toBe('boolean');
      }),
    );
  });
});
