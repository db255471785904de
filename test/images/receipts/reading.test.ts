import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import { closeUps } from '../../../functions/images/pictures/close-up.sharp.ts';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { openPicture } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { prepared } from '../../../functions/images/pictures/prepare.sharp.ts';
import { readReceipt } from '../../../functions/images/readers/read-receipt.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { AMERICAN, drawn, MALAYSIAN } from '../drawn-receipts.ts';

const ocr = new OnnxOcr({ timeLimitMs: 600_000 });
afterAll(() => ocr.close());

async function pagesOf(bytes: Uint8Array): Promise<readonly GreyImage[]> {
  const opened = await openPicture(bytes);
  if (typeof opened === 'string') throw new Error(`not opened: ${opened}`);
  return opened.pages;
}

/** The time on the wall that a busy machine may need. */
const AMPLE_MS = 600_000;

const read = async (bytes: Uint8Array, country: string) =>
  readReceipt(await pagesOf(bytes), LOCALES[country]!, { ocr, prepare: prepared, closeUps, timeLimitMs: AMPLE_MS });

describe('reading a picture of a receipt', () => {
  // The examination of an image reads it too.
  it.runIf(isThorough)('decides a Malaysian scan without a person', async () => {
    const { receipt, passes } = await read(await drawn(MALAYSIAN).jpeg({ quality: 70 }).toBuffer(), 'MY');
    expect(receipt).toMatchObject({ date: '2018-03-05', total: 2800, doubts: [] });
    expect(receipt.items.map(({ price }) => price)).toEqual([1900, 902]);
    expect(passes).toBe(1);
  });

  it('decides an American photograph that lies on its side on a dark table', async () => {
    const photograph = await drawn(AMERICAN)
      .extend({ top: 150, bottom: 150, left: 200, right: 200, background: '#303030' })
      .png()
      .toBuffer();
    const sideways = await drawnAgain(photograph, 90);
    const { receipt, passes } = await read(sideways, 'US');
    expect(passes).toBe(1);
    expect(receipt).toMatchObject({ date: '2018-03-05', total: 1870, subtotal: 1748, doubts: [] });
    // Its row is drawn 160 below the upper edge of the receipt, which lies 200 and 150 inside the photograph.
    const [left, right, baseline] = [240, 396, 310];
    const turnedBy90 = (x: number, y: number) => [(860 - y) / 860, x / 1160];
    const expected = [turnedBy90(left, baseline - 20), turnedBy90(right, baseline - 20), turnedBy90(right, baseline)];
    const { page, corners } = receipt.places.date!;
    expect(page).toBe(0);
    for (const [at, [x, y]] of expected.entries()) {
      expect(Math.abs(corners[at]![0] - x!)).toBeLessThan(0.012);
      expect(Math.abs(corners[at]![1] - y!)).toBeLessThan(0.012);
    }
    expect(receipt.places.date).toMatchObject({ text: expect.stringContaining('18'), confidence: expect.any(Number) });
    expect(receipt.places.total?.text).toContain('18.70');
    expect(receipt.items[0]!.place.corners).toHaveLength(4);
  });

  it('ends when the time for all readings has passed, and leaves the rest to a person', async () => {
    const pages = await pagesOf(await drawn(MALAYSIAN).png().toBuffer());
    const hasty = await readReceipt(pages, LOCALES['MY']!, { ocr, prepare: prepared, closeUps, timeLimitMs: 1 });
    expect(hasty.passes).toBe(0);
    expect(hasty.receipt.doubts).toContain('no-total');
  });

  it.runIf(isThorough)('finds nothing on blank paper, and leaves it to a person', async () => {
    const blank = sharp({ create: { width: 600, height: 600, channels: 3, background: '#ffffff' } });
    const { receipt, words } = await read(await blank.png().toBuffer(), 'MY');
    expect(receipt).toMatchObject({ total: undefined, date: undefined, items: [] });
    expect(receipt.doubts).toContain('no-total');
    expect(words).toBeLessThan(3);
  });
});

// `ocr/hostile-pictures.test.ts` stops networks that take no time.
describe('the recogniser', () => {
  it.runIf(isThorough)('stops when its time has passed, and still reads the next image', async () => {
    const [page] = await pagesOf(await drawn(MALAYSIAN).png().toBuffer());
    const hasty = new OnnxOcr({ timeLimitMs: 1 });
    try {
      expect(await Promise.all([hasty.read(page!), hasty.read(page!)])).toEqual([undefined, undefined]);
    } finally {
      await hasty.close();
    }
    const words = (await ocr.read(page!))?.words ?? [];
    expect(words.map(({ text }) => text)).toContain('HARDWARE');
    const { box } = words.find(({ text }) => text === 'HARDWARE')!;
    expect(box.right).toBeLessThan(page!.width);
    expect(Math.abs(box.bottom - 80)).toBeLessThan(12);
  });
});

async function drawnAgain(bytes: Uint8Array, degrees: number): Promise<Buffer> {
  return sharp(bytes).rotate(degrees).jpeg().toBuffer();
}
