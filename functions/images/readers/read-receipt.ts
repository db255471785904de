import { isUpright, legibility } from '../ocr/ocr.ts';
import { type GreyImage, turned } from '../pictures/grey-image.ts';
import { chain, type MappedImage, unturned } from '../pictures/homography.ts';
import { receiptOf } from '../receipts/combine-readings.ts';
import { type DateCheckParts, daysInCloseUps } from '../receipts/dates.ts';
import type { Locale } from '../receipts/locales.ts';
import { type ParsedReceipt, parseReceipt } from '../receipts/parse-receipt.ts';
import type { ReadReceipt } from '../receipts/receipt.ts';
import { joined, placeOf, type ReadSheet } from '../receipts/sheets.ts';

/** Preparations of a page, in the order in which they are tried. */
const PREPARATIONS = ['paper', 'frame', 'plain'] as const;

type Preparation = (typeof PREPARATIONS)[number];

export interface ReadingParts extends DateCheckParts {
  /** Undefined if time has run out. */
  readonly prepare: (page: GreyImage, preparation: Preparation) => Promise<MappedImage | undefined>;
  /** The time limit for all readings of one receipt. @default 18 seconds */
  readonly timeLimitMs?: number;
}

export interface ReceiptReading {
  readonly receipt: ReadReceipt;
  /** The number of readings of the picture. */
  readonly passes: number;
  /** The word count of the first reading. A low count means little or illegible print. */
  readonly words: number;
  /** The highest receipt score of all readings: see `ParsedReceipt`. */
  readonly score: number;
}

const TIME_LIMIT_MS = 18_000;
/** With less time left, no page is read. */
const PASS_MIN_MS = 500;

/** Reads the pages of a receipt with different preparations until nothing is in doubt. */
export async function readReceipt(
  pages: readonly GreyImage[],
  locale: Locale,
  parts: ReadingParts,
): Promise<ReceiptReading> {
  const until = performance.now() + (parts.timeLimitMs ?? TIME_LIMIT_MS);
  const readings: ParsedReceipt[] = [];
  let quarters = 0;
  let words = 0;
  for (const preparation of PREPARATIONS) {
    const pass = { preparation, quarters, until };
    let sheets = await readPages(pages, pass, parts);
    if (readings.length === 0 && sheets.length > 0 && !isUpright(joined(sheets))) {
      [quarters, sheets] = await bestTurn(pages, pass, parts, sheets);
    }
    if (sheets.length === 0) continue;
    const read = joined(sheets);
    if (readings.length === 0) words = read.words.length;
    const parsed = parseReceipt(read, locale, (box) => placeOf(sheets, box));
    const checked = readings.some(({ closeUps = [] }) => closeUps.length > 0);
    readings.push(
      checked ? parsed : { ...parsed, closeUps: await daysInCloseUps(sheets, locale, { ...parts, until }) },
    );
    if (receiptOf(readings, locale).doubts.length === 0) break;
  }
  return {
    receipt: receiptOf(readings, locale),
    passes: readings.length,
    words,
    score: Math.max(0, ...readings.map(({ score }) => score)),
  };
}

interface Pass {
  readonly preparation: Preparation;
  readonly quarters: number;
  /** The time at which all readings must end. */
  readonly until: number;
}

async function bestTurn(
  pages: readonly GreyImage[],
  pass: Pass,
  parts: ReadingParts,
  straight: readonly ReadSheet[],
): Promise<[number, readonly ReadSheet[]]> {
  let best: [number, readonly ReadSheet[]] = [0, straight];
  for (const quarters of [1, 3, 2]) {
    const sheets = await readPages(pages, { ...pass, quarters }, parts);
    if (legibility(joined(sheets)) > legibility(joined(best[1]))) best = [quarters, sheets];
    if (isUpright(joined(best[1]))) break;
  }
  return best;
}

/** Reads every page. Returns nothing for pages that time ran out for, or that were not prepared. */
async function readPages(
  pages: readonly GreyImage[],
  { preparation, quarters, until }: Pass,
  { ocr, prepare }: ReadingParts,
): Promise<readonly ReadSheet[]> {
  const sheets: ReadSheet[] = [];
  for (const [page, opened] of pages.entries()) {
    if (until - performance.now() < PASS_MIN_MS) break;
    const prepared = await prepare(turned(opened, quarters), preparation);
    const timeLimitMs = Math.max(PASS_MIN_MS, until - performance.now());
    const read = prepared && (await ocr.read(prepared.image, { timeLimitMs }));
    if (read) sheets.push({ read, page, opened, back: chain(prepared.back, unturned(opened, quarters)) });
  }
  return sheets;
}
