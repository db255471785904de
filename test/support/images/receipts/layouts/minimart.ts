import { Till } from '../sheet.ts';
import { money, pieces, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A mini-market in Malaysia: one line an item, quantity in the middle, and little beside the total. */
export function minimart({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([36, 40]));
  till.centre(store.name, { bold: true });
  till.centre(`${store.registration}`);
  for (const line of store.address) till.centre(line);
  till.rule('=');
  till.left(`${printedDay(purchase, random)} ${printedTime(purchase, random)}`);
  till.pair(`No: ${purchase.transaction}`, `Kaunter ${1 + random.below(5)}`);
  till.rule();
  for (const { name, quantity, unitPrice, price } of purchase.items) {
    till.left(name);
    till.row([`${quantity} UNIT`, 4], [`@ ${money(unitPrice)}`, 14], [money(price), -0]);
  }
  till.rule();
  till.pair(`${random.pick(['JUMLAH', 'SUBTOTAL', 'JUMLAH KECIL'])} (${pieces(purchase)})`, money(purchase.subtotal));
  till.pair(random.pick(['PELARASAN', 'ROUNDING', 'PENGGENAPAN']), money(purchase.rounding));
  till.pair(random.pick(['JUMLAH BESAR', 'TOTAL', 'TOTAL']), money(purchase.total, random.pick(['RM', 'RM '])), {
    bold: true,
    scale: 1.2,
  });
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? random.pick(['TUNAI', 'CASH']) : 'KAD', money(paid));
  till.pair(random.pick(['BAKI', 'CHANGE']), money(change));
  if (purchase.taxRate > 0) till.left(`GST 6% INCLUDED: ${money(purchase.tax)}`);
  till.blank();
  till.centre('TERIMA KASIH');
  return till.sheet();
}
