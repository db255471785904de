import { isUpright, legibility, type Ocr, type Page } from '../ocr/ocr.ts';
import { type GreyImage, turned } from '../pictures/grey-image.ts';
import type { Locale } from './locales.ts';
import { type ParsedReceipt, parseReceipt } from './parse-receipt.ts';
import { type Receipt, receiptOf } from './receipt.ts';

/** Ways to make a page legible, in the order in which they are tried. */
const PREPARATIONS = ['paper', 'frame', 'plain'] as const;

type Preparation = (typeof PREPARATIONS)[number];

export interface ReadingParts {
  readonly ocr: Ocr;
  /** Undefined if this preparation would make nothing new of the page. */
  readonly prepare: (page: GreyImage, preparation: Preparation) => Promise<GreyImage | undefined>;
}

export interface ReceiptReading {
  readonly receipt: Receipt;
  /** How often the picture was read. */
  readonly passes: number;
  /** Words of the first reading: few mean that there is little print, or that it cannot be read. */
  readonly words: number;
  /** How much this is a receipt, in the reading that shows it best. */
  readonly score: number;
}

/** One reading cannot show that a digit of its date is right. */
const PASSES_MIN = 2;

/** Reads the pages of one receipt again and again, each time prepared differently, until nothing is in doubt. */
export async function readReceipt(
  pages: readonly GreyImage[],
  locale: Locale,
  parts: ReadingParts,
): Promise<ReceiptReading> {
  const readings: ParsedReceipt[] = [];
  let upright = pages;
  let words = 0;
  for (const preparation of PREPARATIONS) {
    let read = await readPages(upright, preparation, parts);
    if (readings.length === 0 && read && !isUpright(read)) {
      [upright, read] = await bestTurn(upright, preparation, parts, read);
    }
    if (!read) continue;
    if (readings.length === 0) words = read.words.length;
    readings.push(parseReceipt(read, locale));
    const receipt = receiptOf(readings);
    if (readings.length >= PASSES_MIN && receipt.doubts.length === 0) break;
  }
  return {
    receipt: receiptOf(readings),
    passes: readings.length,
    words,
    score: Math.max(0, ...readings.map(({ score }) => score)),
  };
}

async function bestTurn(
  pages: readonly GreyImage[],
  preparation: Preparation,
  parts: ReadingParts,
  straight: Page,
): Promise<[readonly GreyImage[], Page]> {
  let best: [readonly GreyImage[], Page] = [pages, straight];
  for (const quarters of [1, 3, 2]) {
    const turnedPages = pages.map((page) => turned(page, quarters));
    const read = await readPages(turnedPages, preparation, parts);
    if (read && legibility(read) > legibility(best[1])) best = [turnedPages, read];
    if (isUpright(best[1])) break;
  }
  return best;
}

/** All pages below each other as one; undefined if none was read in time, or the preparation does not apply. */
async function readPages(
  pages: readonly GreyImage[],
  preparation: Preparation,
  { ocr, prepare }: ReadingParts,
): Promise<Page | undefined> {
  const read: Page[] = [];
  for (const page of pages) {
    const image = await prepare(page, preparation);
    const words = image && (await ocr.read(image));
    if (words) read.push(words);
  }
  return read.length === 0 ? undefined : read.reduce(below);
}

function below(upper: Page, lower: Page): Page {
  const moved = lower.words.map((word) => ({
    ...word,
    box: { ...word.box, top: word.box.top + upper.height, bottom: word.box.bottom + upper.height },
  }));
  return {
    width: Math.max(upper.width, lower.width),
    height: upper.height + lower.height,
    words: [...upper.words, ...moved],
  };
}
