import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { Examination } from '../../../functions/images/examination/examination.ts';
import { examineImage } from '../../../functions/images/examination/examine-image.sharp.ts';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import { openFile } from '../../../functions/images/opening/open-file.sharp.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { AMERICAN, drawn, MALAYSIAN } from '../drawn-receipts.ts';

const ocr = new OnnxOcr({ timeLimitMs: 60_000 });
afterAll(() => ocr.close());
const parts = {
  opener: { open: openFile },
  ocr,
  clock: () => performance.now(),
};
const receipt = {
  validationType: 'receipt',
  country: 'MY',
  timeLimitMs: 120_000,
  parts,
} as const;
/** No receipt is read of these, so that hundreds of files take seconds. */
const image = { ...receipt, validationType: 'image' } as const;

const plain = (width: number, height: number, background = '#ffffff') =>
  sharp({ create: { width, height, channels: 3, background } });
const text = (latin1: string) => Buffer.from(latin1, 'latin1');
const jpegOf = (picture: Sharp) => picture.jpeg().toBuffer();

describe('the examination of a receipt', () => {
  it('contains everything for the reviewer and the verdict, and survives storage', async () => {
    const photo = drawn(MALAYSIAN).withExif({
      IFD0: { Software: 'Snapseed' },
      IFD2: { DateTimeOriginal: '2018:03:05 18:00:00' },
    });
    const seen = await examineImage(await jpegOf(photo), receipt);
    expect(seen).toMatchObject({
      format: 'jpeg',
      pages: 1,
      width: 760,
      perceptualHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      cut: [],
      alteration: { signs: ['software: Snapseed'] },
      takenAt: '2018-03-05T18:00:00',
      receipt: { date: '2018-03-05', total: 2800, items: [{ price: 1900 }, { price: 902 }], doubts: [] },
    });
    expect(seen.sharpness).toBeGreaterThan(0.3);
    expect(seen.receiptScore).toBeGreaterThan(10);
    expect(seen.words).toBeGreaterThan(20);
    expect(Examination.parse(JSON.parse(JSON.stringify(seen)))).toEqual(seen);
  });

  // `receipts/reading.test.ts` reads one that lies on its side.
  it.runIf(isThorough)(
    'reads a picture that was turned and does not say so, and places print on it as it lies',
    async () => {
      const american = { ...receipt, country: 'US' } as const;
      const upright = await examineImage(await drawn(AMERICAN).png().toBuffer(), american);
      const { date, total, items } = upright.receipt ?? {};
      expect(total).toBe(1870);
      const [[x, y] = [Number.NaN, Number.NaN]] = upright.receipt?.places.total?.corners ?? [];
      // The corners begin where the text begins, as shares of the turned picture.
      const quarters = [
        [90, [1 - y, x]],
        [180, [1 - x, 1 - y]],
        [270, [y, 1 - x]],
      ] as const;
      for (const [degrees, corner] of quarters) {
        const picture = await drawn(AMERICAN).rotate(degrees).png().toBuffer();
        const turned = (await examineImage(picture, american)).receipt;
        expect(turned).toMatchObject({
          doubts: [],
          date,
          total,
          items: items?.map(({ price }) => ({ price })),
        });
        const [[turnedX, turnedY] = []] = turned?.places.total?.corners ?? [];
        expect(turnedX).toBeCloseTo(corner[0], 1);
        expect(turnedY).toBeCloseTo(corner[1], 1);
      }
    },
  );

  it('does not read print that is too blurred', async () => {
    const blurred = await examineImage(await jpegOf(drawn(MALAYSIAN).blur(6)), receipt);
    expect(blurred.sharpness).toBeLessThan(0.15);
    expect(blurred.receipt).toBeUndefined();
    // Still more blurred, it no longer counts as print, and is read in vain.
    if (isThorough) {
      const gone = await examineImage(await jpegOf(drawn(MALAYSIAN).blur(9)), receipt);
      expect(gone.sharpness).toBeUndefined();
      expect(gone.receipt?.total).toBeUndefined();
    }
  });

  it.runIf(isThorough)('finds no perceptual hash to a receipt in a landscape', async () => {
    const sky = text(
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="100%" height="50%" fill="#8ac"/><circle cx="300" cy="150" r="90" fill="#fd4"/></svg>',
    );
    expect(await examineImage(await jpegOf(sharp(sky)), receipt)).toMatchObject({ receiptScore: 0 });
  });

  it('names the edges that print runs over, except between two pages', async () => {
    const half = (top: number, until: number) =>
      drawn(MALAYSIAN).extract({
        left: 0,
        top,
        width: 760,
        height: until - top,
      });
    const [upper, lower] = await Promise.all([half(0, 311), half(311, 622)].map((part) => part.png().toBuffer()));
    const wishes = { ...receipt, timeLimitMs: 0 };
    expect((await examineImage(upper!, wishes)).cut).toEqual(['bottom']);
    expect((await examineImage(lower!, wishes)).cut).toEqual(['top']);
    const pages = await sharp([upper!, lower!], { join: { animated: true } })
      .tiff()
      .toBuffer();
    expect(await examineImage(pages, wishes)).toMatchObject({
      pages: 2,
      cut: [],
    });
  });

  it('reads nothing for an unsupported country, and nothing after its deadline', async () => {
    const bytes = await jpegOf(drawn(AMERICAN));
    const foreign = await examineImage(bytes, { ...receipt, country: 'XX' });
    expect(foreign.receipt).toBeUndefined();
    expect(foreign.receiptScore).toBeUndefined();
    const late = await examineImage(bytes, { ...receipt, timeLimitMs: 0 });
    expect(late.receipt?.doubts).toContain('no-total');
    // Otherwise it would pass for something that is no receipt.
    expect(late.receiptScore).toBeUndefined();
    expect(late.words).toBeUndefined();
  });

  it('says nothing about receipts for an image of another type', async () => {
    const seen = await examineImage(await jpegOf(drawn(AMERICAN)), image);
    expect(seen.receipt).toBeUndefined();
    expect(seen.receiptScore).toBeUndefined();
    expect(seen).toMatchObject({
      format: 'jpeg',
      cut: [],
      alteration: { signs: [] },
    });
  });
});

describe('a hostile file', () => {
  it.each<readonly [string, string, () => Promise<Buffer> | Buffer]>([
    ['no bytes', 'empty', () => Buffer.alloc(0)],
    ['ten megabytes of nothing', 'unknown', () => Buffer.alloc(10 * 1024 * 1024)],
    ['SVG', 'unknown', () => text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HEIC', 'unknown', () => text('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['WEBP', 'unknown', () => plain(9, 9).webp().toBuffer()],
    ['a ZIP', 'unknown', () => text('PK\x03\x04'.repeat(9))],
    // As costly to make as it is dangerous: opening a picture is tried with one every time.
    ...(isThorough ? [['a bomb', 'too-large', () => plain(9000, 9000).png().toBuffer()] as const] : []),
    ['a JPEG that breaks off', 'damaged', async () => (await jpegOf(drawn(AMERICAN))).subarray(0, 9000)],
    ['a TIFF whose directory lies beyond its end', 'damaged', () => text('II*\0\xff\xff\xff\x7f')],
    ['a TIFF whose directory follows itself', 'damaged', () => text('II*\0\x08\0\0\0\0\0\x08\0\0\0')],
    ['a PDF that is a JPEG', 'damaged', async () => Buffer.concat([text('%PDF-1.4\n'), await jpegOf(plain(9, 9))])],
  ])('ends in a problem if it is %s', async (_what, problem, make) => {
    expect(await examineImage(await make(), receipt)).toEqual({
      problem,
      cut: [],
      alteration: { score: 0, signs: [] },
    });
  });

  it.each<[string, string, () => Promise<Buffer>]>([
    ['JPEG with a PDF behind it', 'jpeg', async () => Buffer.concat([await jpegOf(plain(60, 60)), text('%PDF-1.4')])],
    [
      'GIF with a ZIP behind it',
      'gif',
      async () => Buffer.concat([await plain(9, 9).gif().toBuffer(), text('PK\x03\x04')]),
    ],
    ['JPEG of ten megabytes', 'jpeg', async () => Buffer.concat([await jpegOf(plain(9, 9)), Buffer.alloc(10_485_000)])],
    ['PNG of one pixel', 'png', () => plain(1, 1).png().toBuffer()],
    ['PNG 60,000 pixels high and one wide', 'png', () => plain(1, 60_000).png().toBuffer()],
    ['PNG 20,000 pixels wide', 'png', () => plain(20_000, 300).png().toBuffer()],
    ['PNG of sixteen bits', 'png', () => plain(50, 50).toColourspace('rgb16').png().toBuffer()],
    ['CMYK JPEG', 'jpeg', () => jpegOf(plain(50, 50).toColourspace('cmyk'))],
  ])('is examined if it is a %s', async (what, format, make) => {
    const bytes = await make();
    // To read, a small white page is a small white page, whatever file it came from.
    const isRead = isThorough || what === 'PNG 20,000 pixels wide';
    const reading = {
      ...receipt,
      timeLimitMs: isThorough ? receipt.timeLimitMs : 1_500,
    };
    for (const wishes of isRead ? [image, reading] : [image]) {
      const seen = await examineImage(bytes, wishes);
      expect(seen).toMatchObject({
        format,
        cut: [],
        alteration: { score: 0, signs: [] },
      });
      expect(seen.problem).toBeUndefined();
    }
  });

  it.each(few([6], [1, 2, 3, 4, 5, 7, 8]))(
    'is upright whatever way EXIF orientation %d turns it',
    async (orientation) => {
      const bytes = await jpegOf(plain(30, 10).withMetadata({ orientation }));
      const [width, height] = orientation < 5 ? [30, 10] : [10, 30];
      expect(await examineImage(bytes, image)).toMatchObject({ width, height });
    },
  );
});
