import { two } from '../purchase.ts';
import { Till } from '../sheet.ts';
import { money, percent, printedDay, printedTime } from '../wording.ts';
import type { Sale } from './layout.ts';

/** A pharmacy of the United States: codes of products, discounts below their items, and what was saved. */
export function pharmacy({ purchase, store, random }: Sale) {
  const till = new Till(random.pick([40, 44, 48]));
  till.centre(store.name, { scale: random.pick([1.2, 1.6]), bold: true });
  till.centre(`STORE #${1000 + random.below(9000)}`);
  for (const line of store.address) till.centre(line);
  till.centre(store.phone);
  till.blank();
  till.pair(
    `REG ${two(1 + random.below(9))}  TRN ${purchase.transaction.slice(0, 8)}`,
    `CSHR ${100_000 + random.below(900_000)}`,
  );
  till.left(`${printedDay(purchase, random)}   ${printedTime(purchase, random)}`);
  till.rule(random.pick(['-', '=']));
  const codeAbove = random.chance(0.4);
  const trailingMinus = random.chance(0.3);
  let saved = 0;
  for (const { name, quantity, unitPrice, price, discount, code, taxed } of purchase.items) {
    if (codeAbove) till.left(code!);
    if (quantity > 1 && !codeAbove) till.left(`${quantity} @ ${money(unitPrice)}`);
    const lead = codeAbove
      ? `${quantity > 1 ? `${quantity} ` : ''}${name}`
      : `${quantity === 1 ? `${code!.slice(-11)} ` : '  '}${name}`;
    till.pair(lead.slice(0, till.columns - 12), `${money(price)}${taxed ? 'T' : 'N'}`);
    if (discount === 0) continue;
    saved += discount;
    till.pair(
      `    ${random.pick(['COUPON', 'SALE DISCOUNT', 'REWARDS'])}`,
      trailingMinus ? `${money(discount)}-` : `${money(-discount)} `,
    );
  }
  till.rule(random.pick(['-', '=']));
  till.pair('SUBTOTAL', `${money(purchase.subtotal)} `, { indent: 6 });
  till.pair(
    random.pick([
      `SALES TAX ${percent(purchase.taxRate)}`,
      'TAX',
      `${store.address[1]!.slice(-8, -6)} ${percent(purchase.taxRate)} TAX`,
    ]),
    `${money(purchase.tax)} `,
    { indent: 6 },
  );
  till.pair('TOTAL', `${money(purchase.total)} `, { indent: 6, bold: true, scale: random.pick([1, 1.2]) });
  const { means, paid, change } = purchase.tender;
  till.pair(means === 'cash' ? 'CASH' : random.pick(['VISA', 'AMEX', 'CHARGE']), `${money(paid)} `, { indent: 6 });
  till.pair('CHANGE', `${money(change, random.pick(['', '$']))} `, { indent: 6 });
  till.blank();
  if (saved > 0) till.centre(`YOU SAVED ${money(saved, '$')} TODAY`);
  till.centre(
    random.pick(['RETURNS WITH RECEIPT WITHIN 60 DAYS', 'THANK YOU. STAY WELL', 'ASK YOUR PHARMACIST ABOUT FLU SHOTS']),
  );
  return till.sheet();
}
