import { two } from '../purchase.ts';
import { Till } from '../sheet.ts';
import { money, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A filling station or convenience store of the United States: few lines, much white, often no quantity. */
export function fuel({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([28, 30, 32]));
  if (random.chance(0.5)) till.centre('WELCOME');
  till.centre(store.name, { bold: random.chance(0.5), scale: random.pick([1, 1.2]) });
  for (const line of store.address) till.centre(line);
  if (random.chance(0.5)) till.centre(store.phone);
  till.blank();
  till.pair(printedDay(purchase, random), printedTime(purchase, random));
  till.pair(
    `${random.pick(['TRAN', 'INV', 'RCPT'])}# ${purchase.transaction.slice(0, 7)}`,
    `REG ${1 + random.below(4)}`,
  );
  till.blank();
  const mark = random.pick(['', '$']);
  for (const { name, quantity, unitPrice, price, measure } of purchase.items) {
    if (measure) {
      till.left(`PUMP ${two(1 + random.below(12))}  ${measure.amount} ${measure.unit}`);
      till.left(`PRICE/${measure.unit}  ${measure.each}`);
    }
    till.pair(quantity > 1 ? `${quantity} ${name}`.slice(0, till.columns - 9) : name, money(price, mark));
    if (quantity > 1 && random.chance(0.5)) till.left(`    ${quantity} @ ${money(unitPrice, mark)}`);
  }
  till.blank();
  till.pair(random.pick(['SUBTOTAL', 'Subtotal']), money(purchase.subtotal, mark));
  till.pair(random.pick(['TAX', 'Sales Tax']), money(purchase.tax, mark));
  till.pair(random.pick(['TOTAL', 'TOTAL SALE', 'TOTAL']), money(purchase.total, mark), {
    bold: random.chance(0.6),
    scale: random.pick([1, 1.2]),
  });
  till.blank();
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? 'CASH' : random.pick(['CREDIT', 'DEBIT']), money(paid, mark));
  if (means === 'cash') till.pair('CHANGE', money(change, mark));
  else till.left(`AUTH ${100_000 + random.below(900_000)}`);
  till.blank();
  till.centre('THANK YOU');
  return till.sheet();
}
