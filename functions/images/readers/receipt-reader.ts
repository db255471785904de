import type { GreyImage } from '../pictures/grey-image.ts';
import type { Locale } from '../receipts/locales.ts';
import type { ReadReceipt } from '../receipts/receipt.ts';
import { type ReadingParts, type ReceiptReading, readReceipt } from './read-receipt.ts';

/** Reads the pages of one receipt. Throws only what may succeed when it is tried again, and our own faults. */
export interface ReceiptReader {
  read(pages: readonly GreyImage[], locale: Locale): Promise<ReceiptReading>;
}

/** Reads within the process. */
export const embeddedReader = (parts: ReadingParts): ReceiptReader => ({
  read: (pages, locale) => readReceipt(pages, locale, parts),
});

/**
 * The second reads only what the first leaves in doubt, since it costs money. The result with fewer doubts wins as a
 * whole: amounts of the two are never mixed.
 * @default the first alone
 */
export function readerOf(first: ReceiptReader, second?: ReceiptReader): ReceiptReader {
  if (!second) return first;
  return {
    async read(pages, locale) {
      const one = await first.read(pages, locale);
      if (one.receipt.doubts.length === 0) return one;
      const two = await second.read(pages, locale);
      const receipts = [confirmed(one.receipt, two.receipt), confirmed(two.receipt, one.receipt)] as const;
      const passes = one.passes + two.passes;
      return receipts[1].doubts.length < receipts[0].doubts.length
        ? { ...two, receipt: receipts[1], passes }
        : { ...one, receipt: receipts[0], passes };
    },
  };
}

/** Two recognisers that read the same day are what one alone could not be. */
function confirmed(receipt: ReadReceipt, other: ReadReceipt): ReadReceipt {
  if (receipt.date !== other.date) return receipt;
  return { ...receipt, doubts: receipt.doubts.filter((doubt) => doubt !== 'date-unsure') };
}
