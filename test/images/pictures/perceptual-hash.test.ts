import * as fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { ALIKE_BITS } from '../../../functions/images/duplicates/duplicate-images.ts';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { greyOf } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { hashDistance, perceptualHashOf } from '../../../functions/images/pictures/perceptual-hash.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { AMERICAN, drawn, MALAYSIAN } from '../drawn-receipts.ts';

const perceptualHash = async (picture: Sharp) => perceptualHashOf(await greyOf(picture)) ?? 'none';
const again = async (picture: Sharp) => sharp(await picture.png().toBuffer());

const original = await drawn(MALAYSIAN).png().toBuffer();
const existing = await perceptualHash(sharp(original));

/** Receipts of one store that differ in what was bought. */
const receiptOf = (lines: readonly string[]) => ['SETIA HARDWARE', 'NO 12 JALAN PERMAS', ...lines, 'TOTAL|RM 28.02'];

describe('the perceptual hash of a picture', () => {
  it('is 256 bits as hex digits, half of them set', () => {
    expect(existing).toMatch(/^[0-9a-f]{64}$/);
    expect(hashDistance(existing, '0'.repeat(64))).toBe(128);
  });

  it('stays within 12 bits through compression, other sizes, darker light and blur', async () => {
    const changed = {
      compressed: sharp(await sharp(original).jpeg({ quality: 30 }).toBuffer()),
      halved: sharp(original).resize(380),
      enlarged: sharp(original).resize(1500),
      darkened: sharp(original).linear(0.6, 0),
      blurred: sharp(original).blur(1.5),
      'in a palette': sharp(await sharp(original).gif().toBuffer()),
    };
    for (const [how, picture] of Object.entries(changed)) {
      expect(hashDistance(existing, await perceptualHash(picture)), how).toBeLessThanOrEqual(12);
    }
  });

  it('stays within 60 bits if the picture is turned by one degree', async () => {
    const turned = await again(sharp(original).rotate(1, { background: '#ffffff' }));
    expect(hashDistance(existing, await perceptualHash(turned))).toBeLessThanOrEqual(60);
  });

  it('is far from that of another receipt, and does not see which of two digits one line shows', async () => {
    expect(hashDistance(existing, await perceptualHash(drawn(AMERICAN)))).toBeGreaterThan(70);
    const other = MALAYSIAN.map((row) => row.replace('05/03/2018', '06/03/2018'));
    expect(hashDistance(existing, await perceptualHash(drawn(other)))).toBeLessThanOrEqual(12);
  });

  it('is what it was when it was first stored', () => {
    const pixels = Uint8Array.from(
      { length: 210 * 340 },
      (_, at) => ((at % 210) * 7 + Math.floor(at / 210) ** 2) % 251,
    );
    expect(perceptualHashOf({ width: 210, height: 340, pixels })).toBe(
      'ffe0001f001fffb5554a554afab5001fa81f754a154affe5001e001fffe5554a',
    );
  });

  it('is undefined for blank pages, so that they are not alike', async () => {
    const blank = (background: string) => greyOf(sharp({ create: { width: 40, height: 90, channels: 3, background } }));
    expect(perceptualHashOf(await blank('#ffffff'))).toBeUndefined();
    expect(perceptualHashOf(await blank('#101010'))).toBeUndefined();
    expect(perceptualHashOf({ width: 1, height: 1, pixels: new Uint8Array([7]) })).toBeUndefined();
  });

  it('keeps any two receipts apart of which at least four lines look different, and any one near its copy', async () => {
    const line = fc.tuple(fc.stringMatching(/^[A-Z]{3,18}$/), fc.integer({ min: 100, max: 99_999 }));
    const lines = fc.array(
      line.map(([name, cents]) => `${name}|${(cents / 100).toFixed(2)}`),
      { minLength: 8, maxLength: 16 },
    );
    const property = fc.asyncProperty(lines, lines, async (some, others) => {
      // It does not see which letters a line has, only how long it is.
      const different = some.filter((one, at) => Math.abs(one.length - (others[at]?.length ?? 0)) >= 3);
      fc.pre(different.length >= 4);
      const [a, b] = await Promise.all([some, others].map((rows) => again(drawn(receiptOf(rows)))));
      const copy = sharp(await a!.clone().resize(500).jpeg({ quality: 50 }).toBuffer());
      const of = await perceptualHash(a!);
      expect(hashDistance(of, await perceptualHash(copy))).toBeLessThanOrEqual(ALIKE_BITS / 2);
      expect(hashDistance(of, await perceptualHash(b!))).toBeGreaterThan(ALIKE_BITS / 2);
    });
    // Smaller receipts are drawn for minutes, and say no more.
    await fc.assert(property, { numRuns: isThorough ? 25 : 8, endOnFailure: true });
  });
});

describe('the distance of two perceptual hashes', () => {
  it('counts differing bits, whichever comes first', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
    fc.assert(
      fc.property(hex, hex, (a, b) => {
        const differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
        expect(hashDistance(a, b)).toBe(differing.toString(2).replaceAll('0', '').length);
        expect(hashDistance(b, a)).toBe(hashDistance(a, b));
      }),
    );
  });
});

describe('an image of any size', () => {
  it('has a perceptual hash, or none, but never fails', () => {
    const image = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), fc.nat(255));
    fc.assert(
      fc.property(image, ([width, height, seed]) => {
        const pixels = Uint8Array.from({ length: width * height }, (_, at) => (at * seed) % 256);
        const picture: GreyImage = { width, height, pixels };
        expect(perceptualHashOf(picture) ?? '0'.repeat(64)).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: 40 },
    );
  });
});
