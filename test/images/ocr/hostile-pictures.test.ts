import { Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import type { OnnxRuntime } from '../../../functions/images/ocr/runtime.onnx.ts';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { examinedReceipt } from '../../bench/images/examined-receipt.ts';
import { Random } from '../../bench/records/generated-businesses.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';

/** The time on the wall that a busy machine may need. */
const AMPLE_MS = 600_000;
/** The page that opening makes of the longest picture. */
const LONGEST = { width: 1800, height: 4800 };
/** Of the inputs of both networks, in values: what memory and time grow with. */
const DETECTOR_VALUES_MAX = 3 * 740 * 2440;
const LINE_VALUES_MAX = 3 * 48 * 2400;
const LINES_MAX = 300;

const ocr = new OnnxOcr({ timeLimitMs: AMPLE_MS });
afterAll(() => ocr.close());

const image = (width: number, height: number, grey: (x: number, y: number) => number): GreyImage => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, at) => grey(at % width, Math.floor(at / width))),
});
const random = new Random(1);
const NOISE = image(isThorough ? 300 : 100, isThorough ? 300 : 100, () => random.below(256));
const PATTERN = image(600, 400, (x, y) => (x % 20 < 12 && y % 12 < 6 ? 0 : 255));
const ROW = image(3000, 1, (x) => (x % 7) * 36);

/** A runtime whose networks answer this value everywhere, or stripes for the detector, and the sizes of their inputs. */
function countingRuntime(value: number, timeLimitMs = AMPLE_MS) {
  const sizes: number[] = [];
  const session = {
    inputNames: ['x'],
    outputNames: ['y'],
    async run({ x }: { readonly x: Tensor }) {
      sizes.push(x.size);
      const [, , height = 0, width = 0] = x.dims;
      const isLine = height === 48;
      const length = isLine ? (width / 8) * 97 : width * height;
      const stripes = (at: number) => ((at % width) % 20 < 12 && Math.floor(at / width) % 8 < 4 ? 0.9 : 0);
      const values = Float32Array.from({ length }, (_, at) => (Number.isNaN(value) || isLine ? value : stripes(at)));
      return { y: { data: values } };
    },
    release: async () => {},
  };
  const runtime = { Tensor, InferenceSession: { create: async () => session } } as unknown as OnnxRuntime;
  return { sizes, reader: new OnnxOcr({ timeLimitMs, runtime: async () => runtime }) };
}

describe('a picture that is made to cost much', () => {
  it('gives neither network more than a page or a line, and no more lines than a receipt has', async () => {
    const { sizes, reader } = countingRuntime(0);
    await reader.read({ ...LONGEST, pixels: new Uint8Array(LONGEST.width * LONGEST.height) });
    const [page = 0, ...lines] = sizes;
    expect(page).toBeLessThanOrEqual(DETECTOR_VALUES_MAX);
    expect(lines).toHaveLength(LINES_MAX);
    expect(Math.max(...lines)).toBeLessThanOrEqual(LINE_VALUES_MAX);
    await reader.read(ROW, { line: true });
    expect(sizes.at(-1)).toBeLessThanOrEqual(LINE_VALUES_MAX);
  });

  it('has no words where a network answers no number', async () => {
    const { sizes, reader } = countingRuntime(Number.NaN);
    expect((await reader.read(PATTERN))?.words).toEqual([]);
    expect(sizes).toHaveLength(1);
    expect((await reader.read(PATTERN, { line: true }))?.words).toEqual([]);
  });

  it('is not read any further when the time has passed, and the next one is read', async () => {
    const { sizes, reader } = countingRuntime(0);
    expect(await reader.read(PATTERN, { timeLimitMs: 0 })).toBeUndefined();
    expect(sizes).toHaveLength(1);
    expect(await reader.read(PATTERN)).toBeDefined();
    const { reader: hasty } = countingRuntime(0, 0);
    expect(await hasty.read(PATTERN, { timeLimitMs: AMPLE_MS })).toBeUndefined();
  });

  it.each(
    few<readonly [string, GreyImage]>(
      [
        ['a single pixel', image(1, 1, () => 0)],
        ['a column of one pixel', image(1, 3000, (_, y) => (y % 7) * 36)],
        ['noise', NOISE],
        ['a pattern of bars', PATTERN],
      ],
      [['a row of one pixel', ROW]],
    ),
  )('is read like any other: %s', async (_name, picture) => {
    const page = await ocr.read(picture);
    for (const { box, confidence } of page?.words ?? []) {
      expect(Object.values(box).every(Number.isFinite)).toBe(true);
      expect(box.left).toBeLessThanOrEqual(box.right);
      expect(box.top).toBeLessThan(box.bottom);
      expect(confidence).toBeGreaterThan(0);
    }
    expect(page).toMatchObject({ width: picture.width, height: picture.height });
  });

  it.runIf(isThorough).each<readonly [string, GreyImage, string]>([
    ['a row of one pixel is illegible', ROW, 'invalid 1'],
    ['noise needs a person', NOISE, 'review'],
  ])('gets the documented answer: %s', async (_name, { width, height, pixels }, verdict) => {
    const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    expect((await examinedReceipt(bytes, { country: 'MY', stores: [], ocr })).verdict).toBe(verdict);
  });
});
