import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basicCredentials } from '../../../shared/loyalty/basic-credentials.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const encoded = (pair: string | Buffer) => Buffer.from(pair as string).toString('base64');
const basic = (pair: string | Buffer) => `Basic ${encoded(pair)}`;

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((one) => !/\p{Cc}/u.test(one));

describe('HTTP Basic credentials', () => {
  it('are any name without a colon, and any password, in UTF-8', () => {
    fc.assert(
      fc.property(
        text.filter((name) => !name.includes(':')),
        text,
        (name, password) => {
          fc.pre(encoded(`${name}:${password}`).length <= 1_024);
          expect(basicCredentials(basic(`${name}:${password}`))).toEqual({ name, password });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are read in any case of the scheme, with or without padding, with more blanks', () => {
    const pair = { name: 'app', password: 'pa:ss' };
    const value = encoded('app:pa:ss');
    for (const header of [
      `Basic ${value}`,
      `basic ${value}`,
      `BASIC   ${value}  `,
      `Basic ${value.replace(/=+$/, '')}`,
    ]) {
      expect(basicCredentials(header)).toEqual(pair);
    }
  });

  it('may have an empty name or password, which no app has', () => {
    expect(basicCredentials(basic(':'))).toEqual({ name: '', password: '' });
    expect(basicCredentials(basic('app:'))).toEqual({ name: 'app', password: '' });
  });

  it('keep a byte order mark as a character', () => {
    expect(basicCredentials(basic('\u{feff}app:secret'))?.name).toBe('\u{feff}app');
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    `Bearer ${encoded('app:secret')}`,
    encoded('app:secret'),
    'Basic app:secret',
    `Basic ${encoded('app')}`,
    `Basic ${encoded('app:secret')},Basic ${encoded('app:secret')}`,
    `Basic ${encoded('app:secret')} x`,
    `Basic ===`,
    `Basic ${encoded('app:sec\u0000ret')}`,
    `Basic ${encoded('app\n:secret')}`,
    `Basic ${encoded('app:\u007f')}`,
    `Basic ${encoded(Buffer.from([0x61, 0x3a, 0xff]))}`,
    `Basic ${encoded(Buffer.from([0x61, 0x3a, 0xc0, 0x80]))}`,
    `Basic ${encoded(`app:${'s'.repeat(1_000)}`)}`,
  ])('are not in %j', (header) => {
    expect(basicCredentials(header)).toBeUndefined();
  });

  it('are read from no text with an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), (any) => {
        const result = basicCredentials(any);
        expect(result === undefined || !result.name.includes(':')).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void basicCredentials(basic(Buffer.from(bytes)))));
  });
});
