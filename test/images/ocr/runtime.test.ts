import { afterAll, describe, expect, it } from 'vitest';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import type { Ocr } from '../../../functions/images/ocr/ocr.ts';
import { onnxRuntime } from '../../../functions/images/ocr/runtime.onnx.ts';
import { closeUps } from '../../../functions/images/pictures/close-up.sharp.ts';
import { openPicture } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { prepared } from '../../../functions/images/pictures/prepare.sharp.ts';
import { readReceipt } from '../../../functions/images/readers/read-receipt.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { REPORTING_SEEDS } from '../../support/images/receipts/seeds.ts';
import { few } from '../../support/runner/thoroughness.ts';
import { AMERICAN, drawn, MALAYSIAN } from '../drawn-receipts.ts';

/** The time on the wall that a busy machine may need. */
const AMPLE_MS = 600_000;

const withoutBinary = () => onnxRuntime(() => Promise.reject(new Error('ERR_DLOPEN_FAILED')));
const native = new OnnxOcr({ timeLimitMs: AMPLE_MS });
const webAssembly = new OnnxOcr({ timeLimitMs: AMPLE_MS, runtime: withoutBinary });
afterAll(async () => {
  await native.close();
  await webAssembly.close();
});

const leaning = async () => {
  const { truth, render } = receiptOfSeed(REPORTING_SEEDS.first, {
    layout: 'cafe',
    distortion: 'leaning 3',
    file: 'jpeg',
  });
  return { bytes: (await render()).bytes, country: truth.country };
};
const malaysian = async () => ({ bytes: await drawn(MALAYSIAN).jpeg().toBuffer(), country: 'MY' });
/** As few lines as prove a total: WebAssembly takes its time for each. */
const short = async () => {
  const rows = [
    'GREEN VALLEY MARKET',
    '03/05/2018 14:22',
    'WHOLE MILK|3.49',
    'SUBTOTAL|3.49',
    'TAX|0.51',
    'TOTAL|4.00',
  ];
  return { bytes: await drawn(rows).png().toBuffer(), country: 'US' };
};
const american = async () => ({ bytes: await drawn(AMERICAN).png().toBuffer(), country: 'US' });
type Scan = () => Promise<{ readonly bytes: Buffer; readonly country: string }>;
const RECEIPTS = few<readonly [string, Scan]>(
  [['a short scan', short]],
  [
    ['an American scan', american],
    ['a Malaysian scan', malaysian],
    ['a leaning scan', leaning],
  ],
);

describe('without a binary of the native runtime', () => {
  it.each(RECEIPTS)('WebAssembly reads the same words and fields of %s', async (_name, picture) => {
    const { bytes, country } = await picture();
    const opened = await openPicture(bytes);
    if (typeof opened === 'string') throw new Error(`not opened: ${opened}`);
    const read = async (recogniser: OnnxOcr) => {
      const texts: (readonly string[] | undefined)[] = [];
      const ocr: Ocr = {
        async read(image, options) {
          const page = await recogniser.read(image, options);
          texts.push(page?.words.map(({ text }) => text));
          return page;
        },
      };
      const deps = { ocr, prepare: prepared, closeUps, timeLimitMs: AMPLE_MS };
      const { receipt } = await readReceipt(opened.pages, LOCALES[country]!, deps);
      return { texts, receipt };
    };
    const [one, other] = [await read(native), await read(webAssembly)];
    expect(one.receipt).toMatchObject({ total: expect.any(Number), doubts: [] });
    expect(other).toEqual(one);
  });
});
