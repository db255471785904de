import { Till } from '../sheet.ts';
import { money, pieces, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A shop in Malaysia: the code above or below the name, quantity times unit price, rounding to five sen, and a summary of the tax. */
export function taxInvoice({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([40, 44, 48]));
  till.centre(store.name, { scale: random.pick([1, 1.2]), bold: random.chance(0.6) });
  till.centre(`${random.pick(['CO. REG NO : ', '(', 'REG: '])}${store.registration}`.replace(/^\((.*)$/, '($1)'));
  for (const line of store.address) till.centre(line);
  till.centre(`TEL : ${store.phone}`);
  if (purchase.taxRate > 0) till.centre(`GST ID : 00${1_000_000_000 + random.below(999_999_999)}`);
  till.blank();
  till.centre(purchase.taxRate > 0 ? 'TAX INVOICE' : random.pick(['INVOICE', 'CASH BILL', 'RECEIPT']), { bold: true });
  till.left(`${random.pick(['Invoice No', 'Doc No.', 'Bill #'])} : CS${purchase.transaction}`);
  till.left(`Date       : ${printedDay(purchase, random)} ${printedTime(purchase, random)}`);
  if (random.chance(0.6)) till.left(`Cashier    : ${random.pick(['AIMAN', 'SITI', 'MEI LING', 'KUMAR', 'USER'])}`);
  till.rule();
  items(till, { purchase, store, random });
  till.rule();
  if (random.chance(0.6)) till.left(`Total Qty : ${pieces(purchase)}`);
  const mark = random.pick(['', 'RM ', 'RM']);
  if (random.chance(0.6)) till.pair('Sub Total', money(purchase.subtotal, mark), { indent: 10 });
  const words =
    purchase.taxRate > 0 ? ['Total Sales (Inclusive of GST)', 'Total Incl. GST', 'Total'] : ['Total', 'Total Amount'];
  till.pair(random.pick(words), money(purchase.subtotal, mark), { indent: 4 });
  till.pair(random.pick(['Rounding Adj', 'Rounding', 'Rounding Adjustment']), money(purchase.rounding), { indent: 10 });
  till.pair(random.pick(['TOTAL', 'Net Total', 'Nett Amount', 'Total Rounded']), money(purchase.total, mark), {
    indent: 10,
    bold: true,
    scale: random.pick([1, 1.2]),
  });
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? 'CASH' : random.pick(['VISA', 'DEBIT CARD', 'E-WALLET']), money(paid, mark), {
    indent: 10,
  });
  till.pair('Change', money(change, mark), { indent: 10 });
  if (purchase.taxRate > 0) {
    till.rule();
    till.row(['GST Summary', 0], ['Amount(RM)', -10], ['Tax(RM)', -0]);
    till.row(['SR @ 6%', 0], [money(purchase.subtotal - purchase.tax), -10], [money(purchase.tax), -0]);
  }
  till.blank();
  till.centre('GOODS SOLD ARE NOT RETURNABLE');
  till.centre('THANK YOU');
  return till.sheet();
}

function items(till: Till, { purchase, random }: Sale): void {
  const flag = purchase.taxRate > 0 && random.chance(0.6) ? ' SR' : '';
  if (random.chance(0.5)) {
    till.row(['DESCRIPTION', 0], ['QTY', -21], ['U.PRICE', -12], ['AMOUNT', -0]);
    till.rule();
    for (const { name, quantity, unitPrice, price } of purchase.items) {
      if (name.length > till.columns - 26) {
        till.left(name);
        till.row([String(quantity), -21], [money(unitPrice), -12], [`${money(price)}${flag}`, -0]);
      } else till.row([name, 0], [String(quantity), -21], [money(unitPrice), -12], [`${money(price)}${flag}`, -0]);
    }
    return;
  }
  const times = random.pick(['x', 'X', '*']);
  for (const { name, quantity, unitPrice, price, code } of purchase.items) {
    till.left(name);
    till.pair(`${code}  ${quantity} ${times} ${money(unitPrice)}`, `${money(price)}${flag}`);
  }
}
