import { Till } from '../sheet.ts';
import { money, percent, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A restaurant in Malaysia: the quantity leads, service charge and service tax follow the subtotal. */
export function restaurant({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([34, 38, 42]));
  till.centre(store.name, { bold: true, scale: random.pick([1, 1.3]) });
  if (random.chance(0.7)) till.centre(`(${store.registration})`);
  for (const line of store.address) till.centre(line);
  till.centre(`Tel: ${store.phone}`);
  till.blank();
  till.pair(
    `${random.pick(['Bill No', 'Receipt#', 'Order'])}: ${purchase.transaction.slice(0, 8)}`,
    `Table: ${1 + random.below(40)}`,
  );
  till.left(`Date: ${printedDay(purchase, random)}  ${printedTime(purchase, random)}`);
  till.rule();
  const priced = random.chance(0.4);
  for (const { name, quantity, unitPrice, price } of purchase.items) {
    if (priced && quantity > 1) {
      till.left(name);
      till.pair(`  ${quantity} x ${money(unitPrice)}`, money(price));
    } else till.pair(`${quantity} ${name}`, money(price));
  }
  till.rule();
  const mark = random.pick(['', 'RM']);
  till.pair(random.pick(['Subtotal', 'Sub Total']), money(purchase.subtotal, mark));
  till.pair(random.pick(['Service Charge 10%', 'Svc Charge (10%)']), money(purchase.service, mark));
  const tax = purchase.date < '2018-06-01' ? 'GST' : random.pick(['SST', 'Service Tax']);
  till.pair(`${tax} ${percent(purchase.taxRate)}`, money(purchase.tax, mark));
  till.pair(random.pick(['Rounding', 'Rounding Adj']), money(purchase.rounding, mark));
  till.pair(random.pick(['TOTAL', 'Grand Total', 'NET TOTAL']), money(purchase.total, mark), {
    bold: true,
    scale: random.pick([1, 1.3]),
  });
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? 'Cash' : random.pick(['Visa', 'QR Pay', 'Debit']), money(paid, mark));
  if (means === 'cash') till.pair('Change', money(change, mark));
  till.blank();
  till.centre(random.pick(['Terima Kasih, Sila Datang Lagi', 'Thank you, please come again']));
  return till.sheet();
}
