import { isUpright, legibility, type Ocr } from '../ocr/ocr.ts';
import { type GreyImage, turned } from '../pictures/grey-image.ts';
import { chain, type MappedImage, unturned } from '../pictures/homography.ts';
import { receiptOf } from './gate.ts';
import type { Locale } from './locales.ts';
import { type ParsedReceipt, parseReceipt } from './parse-receipt.ts';
import type { ReadReceipt } from './receipt.ts';
import { joined, placeOf, type ReadSheet } from './sheets.ts';

/** Ways to make a page legible, in the order in which they are tried. */
const PREPARATIONS = ['paper', 'frame', 'plain'] as const;

type Preparation = (typeof PREPARATIONS)[number];

export interface ReadingParts {
  readonly ocr: Ocr;
  /** Undefined if this preparation would make nothing new of the page. */
  readonly prepare: (page: GreyImage, preparation: Preparation) => Promise<MappedImage | undefined>;
}

export interface ReceiptReading {
  readonly receipt: ReadReceipt;
  /** How often the picture was read. */
  readonly passes: number;
  /** Words of the first reading: few mean that there is little print, or that it cannot be read. */
  readonly words: number;
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
  let quarters = 0;
  let words = 0;
  for (const preparation of PREPARATIONS) {
    let sheets = await readPages(pages, { preparation, quarters }, parts);
    if (readings.length === 0 && sheets.length > 0 && !isUpright(joined(sheets))) {
      [quarters, sheets] = await bestTurn(pages, preparation, parts, sheets);
    }
    if (sheets.length === 0) continue;
    const read = joined(sheets);
    if (readings.length === 0) words = read.words.length;
    readings.push(parseReceipt(read, locale, (box) => placeOf(sheets, box)));
    const receipt = receiptOf(readings, locale);
    if (readings.length >= PASSES_MIN && receipt.doubts.length === 0) break;
  }
  return { receipt: receiptOf(readings, locale), passes: readings.length, words };
}

async function bestTurn(
  pages: readonly GreyImage[],
  preparation: Preparation,
  parts: ReadingParts,
  straight: readonly ReadSheet[],
): Promise<[number, readonly ReadSheet[]]> {
  let best: [number, readonly ReadSheet[]] = [0, straight];
  for (const quarters of [1, 3, 2]) {
    const sheets = await readPages(pages, { preparation, quarters }, parts);
    if (legibility(joined(sheets)) > legibility(joined(best[1]))) best = [quarters, sheets];
    if (isUpright(joined(best[1]))) break;
  }
  return best;
}

/** Of every page what was read; none of those that were not read in time, or to which the preparation does not apply. */
async function readPages(
  pages: readonly GreyImage[],
  { preparation, quarters }: { readonly preparation: Preparation; readonly quarters: number },
  { ocr, prepare }: ReadingParts,
): Promise<readonly ReadSheet[]> {
  const sheets: ReadSheet[] = [];
  for (const [page, opened] of pages.entries()) {
    const prepared = await prepare(turned(opened, quarters), preparation);
    const read = prepared && (await ocr.read(prepared.image));
    if (read) sheets.push({ read, page, opened, back: chain(prepared.back, unturned(opened, quarters)) });
  }
  return sheets;
}
