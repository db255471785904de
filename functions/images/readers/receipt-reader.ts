import type { GreyImage } from '../pictures/grey-image.ts';
import type { Locale } from '../receipts/locales.ts';
import type { ReadReceipt } from '../receipts/receipt.ts';
import { type ReadingParts, type ReceiptReading, readReceipt } from './read-receipt.ts';

/** Reads the pages of one receipt. It throws only faults, which may succeed on a retry. */
export interface ReceiptReader {
  read(pages: readonly GreyImage[], locale: Locale): Promise<ReceiptReading>;
}

/** Reads in this process, without any service. */
export const embeddedReader = (parts: ReadingParts): ReceiptReader => ({
  read: (pages, locale) => readReceipt(pages, locale, parts),
});

/**
 * The second reader, which costs money, reads only what the first leaves in doubt. The result with fewer doubts wins as
 * a whole: amounts are never mixed.
 * @default the first reader alone
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

/** If two recognisers read the same date, it is sure. */
function confirmed(receipt: ReadReceipt, other: ReadReceipt): ReadReceipt {
  if (receipt.date !== other.date) return receipt;
  return { ...receipt, doubts: receipt.doubts.filter((doubt) => doubt !== 'date-unsure') };
}
