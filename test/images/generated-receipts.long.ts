import { afterAll, describe, expect, it } from 'vitest';
import { OnnxOcr } from '../../functions/images/ocr/ocr.onnx.ts';
import { closeUps } from '../../functions/images/pictures/close-up.sharp.ts';
import { openPicture } from '../../functions/images/pictures/open-picture.sharp.ts';
import { prepared } from '../../functions/images/pictures/prepare.sharp.ts';
import { readReceipt } from '../../functions/images/readers/read-receipt.ts';
import { LOCALES } from '../../functions/images/receipts/locales.ts';
import type { DistortionName } from '../support/images/receipts/distortions.ts';
import { receiptOfSeed } from '../support/images/receipts/generated-receipt.ts';
import { samePrices } from '../support/images/receipts/purchase.ts';
import { REPORTING_SEEDS } from '../support/images/receipts/seeds.ts';

/** The time on the wall that a busy machine may need. */
const AMPLE_MS = 600_000;

const ocr = new OnnxOcr({ timeLimitMs: AMPLE_MS });
afterAll(() => ocr.close());

async function read(seed: number, distortion: DistortionName) {
  const { truth, render } = receiptOfSeed(seed, { distortion });
  const picture = await openPicture((await render()).bytes);
  if (typeof picture === 'string') throw new Error(`not opened: ${picture}`);
  const { receipt } = await readReceipt(picture.pages, LOCALES[truth.country]!, {
    ocr,
    prepare: prepared,
    closeUps,
    timeLimitMs: AMPLE_MS,
  });
  const prices = receipt.items.map(({ price }) => price);
  return {
    decided: receipt.doubts.length === 0,
    right: receipt.date === truth.date && receipt.total === truth.total && samePrices(prices, truth),
  };
}

describe('receipts that reading was not tuned on', () => {
  it('are mostly decided without a person, and then date, total and all prices are right', {
    timeout: 120_000,
  }, async () => {
    const distortions: DistortionName[] = ['clean', 'photo', 'blur 1.2', 'cropped bottom'];
    const readings = [];
    for (const [at, distortion] of distortions.entries()) {
      readings.push({ distortion, ...(await read(REPORTING_SEEDS.first + at, distortion)) });
    }
    expect(readings.filter(({ decided, right }) => decided && !right)).toEqual([]);
    expect(readings.filter(({ decided }) => decided).length).toBeGreaterThanOrEqual(2);
  });
});
