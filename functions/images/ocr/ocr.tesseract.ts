import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWorker, OEM, PSM, type Page as Recognised, type Worker } from 'tesseract.js';
import type { GreyImage } from '../pictures/grey-image.ts';
import type { Ocr, Page, ReadingOptions, Word } from './ocr.ts';

/** Words below this confidence are mostly stains and edges. */
const CONFIDENCE_MIN = 20;

/**
 * The smaller of the two networks in the package. The package's index names the other one, which is four times as
 * large.
 */
const LANGUAGE_FOLDER = '4.0.0_best_int';

/**
 * Tesseract as WebAssembly in a thread of its own. It reads one image at a time; calls that come meanwhile wait. An image
 * full of speckle takes it minutes, and nothing but the end of its thread stops it: the next image starts a new one.
 */
export class TesseractOcr implements Ocr {
  readonly #timeLimitMs: number;
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ timeLimitMs }: { readonly timeLimitMs: number }) {
    this.#timeLimitMs = timeLimitMs;
  }

  read(image: GreyImage, options: ReadingOptions = {}): Promise<Page | undefined> {
    const result = this.#last.then(() => this.#readAlone(image, options));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread and any reading in it. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker)?.terminate();
  }

  async #readAlone(
    image: GreyImage,
    { line = false, timeLimitMs = this.#timeLimitMs }: ReadingOptions,
  ): Promise<Page | undefined> {
    this.#worker ??= startWorker();
    const worker = await this.#worker;
    await worker.setParameters({ tessedit_pageseg_mode: line ? PSM.SINGLE_LINE : PSM.SINGLE_BLOCK });
    const { promise: timeUp, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), Math.min(timeLimitMs, this.#timeLimitMs));
    const reading = worker.recognize(portableGreymap(image), {}, { blocks: true, text: false });
    try {
      const done = await Promise.race([reading, timeUp]);
      if (done) return { width: image.width, height: image.height, words: wordsOf(done.data) };
      await this.close();
      return undefined;
    } catch (error) {
      // A thread that failed may have lost its memory.
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function startWorker(): Promise<Worker> {
  const packageFile = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json');
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: join(dirname(packageFile), LANGUAGE_FOLDER),
    // Tesseract would otherwise write the network to the working directory, which is read-only on Lambda.
    cacheMethod: 'none',
    gzip: true,
    // Without a handler, a failure is also thrown where nobody can catch it.
    errorHandler: () => undefined,
  });
  await worker.setParameters({
    user_defined_dpi: '200',
    // Tesseract would otherwise log a line for every speck that it takes for a character.
    debug_file: '/dev/null',
  });
  return worker;
}

/** The simplest format that Tesseract reads: no compression, no dependency. */
function portableGreymap({ width, height, pixels }: GreyImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

function wordsOf({ blocks }: Recognised): Word[] {
  const lines = (blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines
    .flatMap((line) => line.words)
    .filter(({ confidence, text }) => confidence > CONFIDENCE_MIN && text.trim() !== '')
    .map(({ text, confidence, bbox }) => ({
      text: text.trim(),
      confidence,
      box: { left: bbox.x0, top: bbox.y0, right: bbox.x1, bottom: bbox.y1 },
    }));
}
