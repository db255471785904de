import { Till } from '../sheet.ts';
import { money, percent, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A coffee shop or restaurant of the United States: the quantity leads, and tips are suggested below the total. */
export function cafe({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([32, 36, 40]));
  till.centre(store.name, { scale: random.pick([1, 1.3, 1.6]), bold: random.chance(0.7) });
  for (const line of store.address) till.centre(line);
  if (random.chance(0.7)) till.centre(store.phone);
  till.blank();
  const served = random.chance(0.6);
  if (served) till.pair(`Server: ${random.pick(['Ana', 'Josh', 'Mei', 'Tom'])}`, `Table ${1 + random.below(30)}`);
  till.pair(
    `${random.pick(['Check', 'Order', 'Ticket'])} #${purchase.transaction.slice(0, 6)}`,
    served ? `Guests: ${1 + random.below(5)}` : 'To Go',
  );
  till.pair(printedDay(purchase, random), printedTime(purchase, random));
  till.rule();
  const each = random.chance(0.3);
  const always = random.chance(0.7);
  for (const { name, quantity, unitPrice, price } of purchase.items) {
    const detail = each && quantity > 1 ? ` @ ${money(unitPrice)}` : '';
    till.pair(`${quantity > 1 || always ? `${quantity} ` : ''}${name}${detail}`, money(price, each ? '$' : ''));
  }
  till.rule();
  const mark = random.pick(['', '$']);
  till.pair('Subtotal', money(purchase.subtotal, mark));
  till.pair(random.pick(['Tax', 'Sales Tax', `Tax (${percent(purchase.taxRate)})`]), money(purchase.tax, mark));
  till.pair(random.pick(['Total', 'TOTAL', 'Amount Due']), money(purchase.total, mark), {
    bold: true,
    scale: random.pick([1, 1.25]),
  });
  const { means, paid, change } = purchase.tender;
  if (means === 'cash') {
    till.pair('Cash', money(paid, mark));
    till.pair('Change', money(change, mark));
  } else {
    till.pair(`${random.pick(['Visa', 'Mastercard', 'Amex'])} xxxx${1000 + random.below(9000)}`, money(paid, mark));
  }
  if (served && random.chance(0.5)) {
    till.blank();
    till.centre('Suggested Gratuity');
    for (const share of [18, 20, 22]) {
      till.centre(`${share}%: ${money(Math.round((purchase.subtotal * share) / 100), '$')}`);
    }
  }
  till.blank();
  till.centre(random.pick(['Thank you!', 'Thanks for stopping by', 'Free Wi-Fi: ask us for the password']));
  return till.sheet();
}
