import { Till } from '../sheet.ts';
import { money, percent, pieces, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A builders' merchant of the United States: a table of quantity, item, price and amount below its own head. */
export function hardware({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([44, 48]));
  till.centre(store.name, { scale: random.pick([1.2, 1.5]), bold: true });
  till.centre(`${store.address[0]}`);
  till.centre(`${store.address[1]}  ${store.phone}`);
  till.blank();
  till.pair(`${random.pick(['SALE', 'INVOICE'])} #: ${purchase.transaction}`, `CLERK ${1 + random.below(20)}`);
  till.pair(`DATE: ${printedDay(purchase, random)}`, `TIME: ${printedTime(purchase, random)}`);
  till.rule('=');
  till.row(['QTY', 0], ['ITEM', 5], ['PRICE', -10], ['AMOUNT', -0]);
  till.rule();
  for (const { name, quantity, unitPrice, price } of purchase.items) {
    till.row([String(quantity), 1], [name.slice(0, till.columns - 24), 5], [money(unitPrice), -10], [money(price), -0]);
  }
  till.rule();
  till.pair(random.pick(['SUBTOTAL', 'SUBTOTAL:', 'SUB-TOTAL']), money(purchase.subtotal, '$'), { indent: 16 });
  till.pair(random.pick(['TAX:', `SALES TAX ${percent(purchase.taxRate)}`]), money(purchase.tax, '$'), { indent: 16 });
  till.pair(random.pick(['TOTAL', 'TOTAL:', 'GRAND TOTAL']), money(purchase.total, '$'), { indent: 16, bold: true });
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? 'CASH TENDERED' : 'BANKCARD', money(paid, '$'), { indent: 16 });
  if (means === 'cash') till.pair('CHANGE', money(change, '$'), { indent: 16 });
  till.blank();
  if (random.chance(0.5)) till.left(`TOTAL PIECES: ${pieces(purchase)}`);
  till.centre('NO RETURNS AFTER 30 DAYS');
  return till.sheet();
}
