import { describe, expect, it } from 'vitest';
import type { GreyImage } from '../../../functions/images/pictures/grey-image.ts';
import { type ReceiptReader, readerOf } from '../../../functions/images/readers/receipt-reader.ts';
import { receiptOf } from '../../../functions/images/receipts/combine-readings.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { parseReceipt } from '../../../functions/images/receipts/parse-receipt.ts';
import type { ReadReceipt } from '../../../functions/images/receipts/receipt.ts';
import { AMERICAN, readWords } from '../drawn-receipts.ts';

const US = LOCALES['US']!;
const PAGES: readonly GreyImage[] = [{ width: 1, height: 1, pixels: new Uint8Array(1) }];
const parsed = parseReceipt(readWords(AMERICAN), US);
/** Read twice, as the gate wants it. */
const PROVEN = receiptOf([parsed, parsed], US);
const [UNREAD, ONCE] = [receiptOf([], US), receiptOf([parsed], US)];

function reader(receipt: ReadReceipt, words = 1) {
  const calls: unknown[] = [];
  const read: ReceiptReader['read'] = async (...call) => {
    calls.push(call);
    return { receipt, passes: 1, words, score: 20 };
  };
  return { read, calls };
}

describe('two readers of receipts', () => {
  it('are only the first if it leaves no doubt, or if there is no second', async () => {
    expect(PROVEN.doubts).toEqual([]);
    const [first, second] = [reader(PROVEN), reader(PROVEN)];
    expect((await readerOf(first, second).read(PAGES, US)).receipt).toBe(PROVEN);
    expect(second.calls).toEqual([]);
    const alone = reader(UNREAD);
    expect(readerOf(alone)).toBe(alone);
  });

  it('both read the same pages if the first doubts, and the result with fewer doubts wins as a whole', async () => {
    const [first, second] = [reader({ ...UNREAD, store: 'FIRST' }, 2), reader(PROVEN, 40)];
    expect(await readerOf(first, second).read(PAGES, US)).toEqual({ receipt: PROVEN, passes: 2, words: 40, score: 20 });
    expect(second.calls).toEqual([[PAGES, US]]);
    const partly: ReadReceipt = { ...PROVEN, store: undefined, total: 5, doubts: ['no-store', 'total-unproven'] };
    const { receipt } = await readerOf(reader(partly), reader(UNREAD)).read(PAGES, US);
    expect(receipt).toEqual(partly);
  });

  it('prefer the first if both have as many doubts', async () => {
    const [one, two]: ReadReceipt[] = [
      { ...PROVEN, date: '2018-01-01', doubts: ['total-unproven'] },
      { ...PROVEN, date: '2018-01-02', doubts: ['items-unproven'] },
    ];
    expect((await readerOf(reader(one!), reader(two!)).read(PAGES, US)).receipt).toEqual(one);
  });

  it('prove the day together if they read the same, and not if they differ or one reads none', async () => {
    expect(ONCE.doubts).toEqual(['date-unsure']);
    const beside = async (other: ReadReceipt) => (await readerOf(reader(ONCE), reader(other)).read(PAGES, US)).receipt;
    expect(await beside(ONCE)).toEqual({ ...ONCE, doubts: [] });
    expect(await beside({ ...UNREAD, date: ONCE.date })).toEqual({ ...ONCE, doubts: [] });
    expect(await beside({ ...ONCE, date: '2018-03-06' })).toEqual(ONCE);
    expect(await beside(UNREAD)).toEqual(ONCE);
    const dateless: ReadReceipt = { ...ONCE, date: undefined, doubts: ['no-date'] };
    expect((await readerOf(reader(dateless), reader(dateless)).read(PAGES, US)).receipt.doubts).toEqual(['no-date']);
    const second = await readerOf(reader({ ...UNREAD, date: ONCE.date }), reader(ONCE)).read(PAGES, US);
    expect(second.receipt).toEqual({ ...ONCE, doubts: [] });
  });

  it('confirm nothing but the day for each other', async () => {
    const doubted: ReadReceipt = { ...ONCE, doubts: ['total-unproven', 'date-unsure', 'items-unproven'] };
    const { receipt } = await readerOf(reader(doubted), reader(doubted)).read(PAGES, US);
    expect(receipt.doubts).toEqual(['total-unproven', 'items-unproven']);
  });

  it('fail if the second fails, so that the work is retried', async () => {
    const failing: ReceiptReader = { read: () => Promise.reject(new Error('throttled')) };
    await expect(readerOf(reader(UNREAD), failing).read(PAGES, US)).rejects.toThrow('throttled');
  });
});
