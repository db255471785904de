import type { Ocr } from '../ocr/ocr.ts';
import type { FileOpener } from '../opening/opened-file.ts';
import { closeUps } from '../pictures/close-up.sharp.ts';
import { cutEdges, EDGES, type Edge } from '../pictures/cut-edges.ts';
import type { GreyImage } from '../pictures/grey-image.ts';
import { greyOf, rawGrey } from '../pictures/open-picture.sharp.ts';
import { perceptualHashOf } from '../pictures/perceptual-hash.ts';
import { pageSharpness, prepared } from '../pictures/prepare.sharp.ts';
import { SHARPNESS_MIN } from '../pictures/sharpness.ts';
import type { ReadingParts } from '../readers/read-receipt.ts';
import { embeddedReader, type ReceiptReader } from '../readers/receipt-reader.ts';
import { LOCALES } from '../receipts/locales.ts';
import { depictionOfBest } from './depiction.ts';
import type { Examination } from './examination.ts';

const CUT_SIZE = { width: 1000, height: 6000, fit: 'inside' } as const;

interface ExaminationParts {
  readonly opener: FileOpener;
  readonly ocr: Ocr;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Wraps or replaces the embedded reader. @default the embedded reader alone */
  readonly readerWith?: (embedded: ReceiptReader) => ReceiptReader;
}

interface ExaminationOptions {
  readonly validationType: 'receipt' | 'image';
  /** The country of the campaign, which decides how receipts are read. */
  readonly country: string;
  /** No reading of a receipt starts after this time. A running one ends by the recogniser's own limit. */
  readonly timeLimitMs: number;
  readonly parts: ExaminationParts;
}

/**
 * Examines one file. It returns a value whatever the file does: a file that cannot be opened has a `problem`, and one
 * that cannot be read in time goes to a person. It throws only if the recogniser fails, because a retry may succeed.
 */
export async function examineImage(bytes: Uint8Array, options: ExaminationOptions): Promise<Examination> {
  const opened = await options.parts.opener.open(bytes);
  if (typeof opened === 'string') return { problem: opened, cut: [], alteration: { score: 0, signs: [] } };
  const { format, pages, pageCount, alteration, takenAt } = opened;
  const started = options.parts.clock();
  const [first] = pages;
  const sharpness = await sharpnessOfBest(pages);
  const basics = {
    format,
    pages: pageCount,
    width: first?.width,
    height: first?.height,
    perceptualHash: first && perceptualHashOf(first),
    sharpness,
    depiction: depictionOfBest(pages),
    alteration,
    takenAt,
  };
  if (options.validationType === 'image') return { ...basics, cut: [] };
  const cut = await cutOf(pages);
  const locale = LOCALES[options.country];
  if (!locale || (sharpness !== undefined && sharpness < SHARPNESS_MIN)) return { ...basics, cut };
  const deadline = started + options.timeLimitMs;
  const embedded = inTime(options.parts, deadline);
  const { readerWith = (own) => own } = options.parts;
  const { receipt, score, words } = await readerWith(embeddedReader(embedded)).read(pages, locale);
  // An interrupted reading proves nothing about the rest of the picture.
  const brokenOff = embedded.brokenOff || options.parts.clock() >= deadline;
  if (!brokenOff) return { ...basics, cut, words, receiptScore: score, receipt };
  return { ...basics, cut, receipt, ...(receipt.doubts.length > 0 && { outOfTime: true as const }) };
}

/** The sharpness of the sharpest page: one legible page is worth a reading. */
async function sharpnessOfBest(pages: readonly GreyImage[]): Promise<number | undefined> {
  let best: number | undefined;
  for (const page of pages) {
    const sharpness = await pageSharpness(page);
    if (sharpness !== undefined) best = Math.max(best ?? 0, sharpness);
  }
  return best === undefined ? undefined : Math.round(best * 1000) / 1000;
}

/** Pages continue each other, so print that runs over the edge between two pages is not cut. */
async function cutOf(pages: readonly GreyImage[]): Promise<Edge[]> {
  const edges = new Set<Edge>();
  for (const [at, page] of pages.entries()) {
    for (const edge of cutEdges(await greyOf(rawGrey(page).resize(CUT_SIZE)))) {
      const within = (edge === 'top' && at > 0) || (edge === 'bottom' && at < pages.length - 1);
      if (!within) edges.add(edge);
    }
  }
  return EDGES.filter((edge) => edges.has(edge));
}

interface Reader extends ReadingParts {
  /** True if time ran out for any part of the reading. */
  brokenOff: boolean;
}

/**
 * Each page is read up to a dozen times with different preparations, so without a limit a file of many pages would take
 * minutes.
 */
function inTime({ ocr, clock }: ExaminationParts, deadline: number): Reader {
  const withinTime = async <T>(work: () => Promise<T | undefined>): Promise<T | undefined> => {
    if (clock() < deadline) return work();
    reader.brokenOff = true;
    return undefined;
  };
  const reader: Reader = {
    brokenOff: false,
    prepare: (page, preparation) => withinTime(() => prepared(page, preparation)),
    closeUps,
    timeLimitMs: deadline - clock(),
    ocr: {
      read: async (image, options) => {
        const page = await withinTime(() => ocr.read(image, options));
        if (page === undefined) reader.brokenOff = true;
        return page;
      },
    },
  };
  return reader;
}
