/** What pictures of receipts show, as tests state it. */
import type { Examination } from '../../../functions/images/examination/examination.ts';
import type { ReadItem, ReadReceipt } from '../../../functions/images/receipts/receipt.ts';

const PLACE = { page: 0, corners: [] };

export const readItem = (name: string, price: number, more: Partial<ReadItem> = {}): ReadItem => ({
  name,
  price,
  quantity: 1,
  place: PLACE,
  ...more,
});

/** A receipt of one item that nothing speaks against. */
export const readReceipt = (more: Partial<ReadReceipt> = {}): ReadReceipt => ({
  store: 'GREEN VALLEY MARKET',
  head: ['GREEN VALLEY MARKET', '400 MAIN STREET'],
  date: '2026-03-05',
  time: '14:22',
  number: 'T-1001',
  total: 1_870,
  subtotal: 1_748,
  tax: 122,
  currency: 'USD',
  regions: ['CA', '94105'],
  items: [readItem('WHOLE MILK', 1_748)],
  doubts: [],
  places: {},
  ...more,
});

/** A sharp picture of it. */
export const examination = (receipt?: ReadReceipt, more: Partial<Examination> = {}): Examination => ({
  format: 'jpeg',
  pages: 1,
  width: 1_000,
  height: 2_000,
  perceptualHash: hashOfSeed(0),
  sharpness: 0.4,
  depiction: { contrast: 180, tones: 24, detail: 0.7, structure: 0.8 },
  cut: [],
  words: 60,
  receiptScore: 20,
  alteration: { score: 0, signs: [] },
  ...(receipt && { receipt }),
  ...more,
});

/** Half the bits of two of these differ, as those of two pictures do. */
export function hashOfSeed(seed: number): string {
  let state = seed * 2_654_435_761 + 12_345;
  return Array.from({ length: 64 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 134_217_728).toString(16);
  }).join('');
}
